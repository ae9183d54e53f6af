package policy

import "time"

// OldestFigures is the age beyond which figures don't count.
const OldestFigures = 3 * time.Second

// PickOld chooses a node whose figures are too old, by its share of all backends. It returns false if the cost
// decides instead, among the nodes with fresh figures. So nodes without figures receive what they would without
// any, and the others the rest. Random is any of 0 … 2³²−1.
func PickOld(backends []uint32, old []bool, random uint32) (node int, chosen bool) {
	total := uint64(0)
	for _, count := range backends {
		total += uint64(min(count, 1<<24))
	}
	point := total * uint64(random) >> 32
	for node, count := range backends {
		if each := uint64(min(count, 1<<24)); point >= each {
			point -= each
			continue
		}
		return node, old[node]
	}
	return 0, false
}
