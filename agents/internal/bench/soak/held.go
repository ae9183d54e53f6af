package soak

import (
	"maps"
	"slices"
)

// Held is what was there at one moment, by what and where: "file descriptors" of
// "lb-1" for instance.
type Held map[string]map[string]int64

func (h Held) add(what, where string, count int64) {
	if h[what] == nil {
		h[what] = map[string]int64{}
	}
	h[what][where] += count
}

// both makes one of two moments.
func (h Held) both(other Held, of func(a, b int64) int64) Held {
	one := Held{}
	for _, each := range []Held{h, other} {
		for what, places := range each {
			for where := range places {
				one.set(what, where, of(h[what][where], other[what][where]))
			}
		}
	}
	return one
}

// most is what was there at some moment, and so no leak of later. A connection that
// is just being made anew is missing for a second, and was counted as one.
func most(a, b int64) int64 { return max(a, b) }

// least is what was there at every moment: what comes and goes isn't held.
func least(a, b int64) int64 { return min(a, b) }

func (h Held) set(what, where string, count int64) {
	h.add(what, where, count-h[what][where])
}

// Left is what there is more of than before.
type Left struct {
	What   string `json:"what"`
	Where  string `json:"where"`
	Before int64  `json:"before"`
	After  int64  `json:"after"`
}

// Compare lists every place, in order. What is gone of one place doesn't make up
// for what is more at another.
func Compare(before, after Held) []Left {
	var all []Left
	for _, what := range slices.Sorted(maps.Keys(union(before, after))) {
		for _, where := range slices.Sorted(maps.Keys(union(before[what], after[what]))) {
			all = append(all, Left{what, where, before[what][where], after[what][where]})
		}
	}
	return all
}

func union[V any](a, b map[string]V) map[string]V {
	all := maps.Clone(b)
	if all == nil {
		all = map[string]V{}
	}
	maps.Copy(all, a)
	return all
}
