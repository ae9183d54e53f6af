package maglev

import (
	"cmp"
	"slices"
)

// Rows must never change: another size would move every connection. It is prime, so that
// every step visits all rows.
const Rows = 16381

// MembersMost is the maximum number of members that still get a fair share of the rows.
const MembersMost = 4096

// Empty is the value of all rows of a table without members.
const Empty = -1

// Member is one destination. Weights are relative to each other; 0 excludes a member.
type Member struct {
	ID     string
	Weight uint16
}

// Table maps each row to a member, as an index into the members sorted by ID.
type Table [Rows]int16

// Build fills a table. The order of members doesn't matter, IDs are unique.
//
// It is the algorithm of Eisenbud et al., "Maglev" (NSDI 2016), section 3.4:
// each member walks over the rows in an order of its own and, when it is its
// turn, takes the next one that is free. Turns are in proportion to weight.
func Build(members []Member) *Table {
	table := new(Table)
	for row := range table {
		table[row] = Empty
	}
	walks := walksOf(members)
	heaviest := uint32(0)
	for i := range walks {
		heaviest = max(heaviest, walks[i].weight)
	}
	if heaviest == 0 {
		return table
	}
	var taken [Rows/64 + 1]uint64 // small enough to stay in cache, for most lookups
	for free := Rows; ; {
		for i := range walks {
			walk := &walks[i]
			walk.credit += walk.weight
			if walk.credit < heaviest {
				continue
			}
			walk.credit -= heaviest
			row := walk.row
			for taken[row/64]>>(row%64)&1 != 0 {
				row = walk.after(row)
			}
			taken[row/64] |= 1 << (row % 64)
			table[row] = int16(i)
			walk.row = walk.after(row)
			if free--; free == 0 {
				return table
			}
		}
	}
}

// Counts returns how many rows each member has.
func (t *Table) Counts(members int) []int {
	counts := make([]int, members)
	for _, index := range t {
		if index != Empty {
			counts[index]++
		}
	}
	return counts
}

// walk is a member's permutation of the rows and its position in it.
type walk struct {
	row, stride    uint32
	weight, credit uint32
}

func walksOf(members []Member) []walk {
	if len(members) > MembersMost {
		panic("maglev: more members than rows can be shared between")
	}
	if !slices.IsSortedFunc(members, byID) {
		members = slices.SortedFunc(slices.Values(members), byID)
	}
	walks := make([]walk, len(members))
	for i, member := range members {
		walks[i] = walkOf(member)
	}
	return walks
}

func walkOf(member Member) walk {
	sum := hash(member.ID)
	return walk{
		row:    uint32(sum>>32) % Rows,
		stride: uint32(sum)%(Rows-1) + 1,
		weight: uint32(member.Weight),
	}
}

func (w *walk) after(row uint32) uint32 {
	row += w.stride
	if row >= Rows {
		row -= Rows
	}
	return row
}

func byID(a, b Member) int { return cmp.Compare(a.ID, b.ID) }

// hash is FNV-1a followed by the mixer of splitmix64, because the last bytes of FNV-1a
// hardly affect the high bits, and IDs often differ in their last character only.
func hash(text string) uint64 {
	sum := uint64(0xcbf29ce484222325)
	for i := range len(text) {
		sum ^= uint64(text[i])
		sum *= 0x100000001b3
	}
	sum ^= sum >> 30
	sum *= 0xbf58476d1ce4e5b9
	sum ^= sum >> 27
	sum *= 0x94d049bb133111eb
	return sum ^ sum>>31
}
