package soak

import (
	"maps"
	"slices"
)

// Held is the resources at one moment, by kind and place: "file descriptors" of "lb-1" for instance.
type Held map[string]map[string]int64

func (h Held) add(what, where string, count int64) {
	if h[what] == nil {
		h[what] = map[string]int64{}
	}
	h[what][where] += count
}

// both combines two moments.
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

// most is the larger count: what existed at any moment is not a later leak. A connection being re-established
// is missing for a second.
func most(a, b int64) int64 { return max(a, b) }

// least is what existed at every moment: temporary resources don't count.
func least(a, b int64) int64 { return min(a, b) }

func (h Held) set(what, where string, count int64) {
	h.add(what, where, count-h[what][where])
}

// Left is a resource that has increased.
type Left struct {
	What   string `json:"what"`
	Where  string `json:"where"`
	Before int64  `json:"before"`
	After  int64  `json:"after"`
}

// Compare lists every place, in order. A decrease in one place doesn't offset an increase in another.
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
