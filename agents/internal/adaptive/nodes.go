package adaptive

import "hash/fnv"

// numbersOfNodes returns the numbers of this node and its peers in the kernel's counts. They are the same in the next
// process, which continues with these counts.
func numbersOfNodes(desired Desired) map[string]uint32 {
	all, taken := map[string]uint32{}, map[uint32]bool{0: true} // 0 is for unknown nodes
	add := func(node string) {
		hash := fnv.New32a()
		_, _ = hash.Write([]byte(node))
		number := hash.Sum32()
		for taken[number] {
			number++
		}
		all[node], taken[number] = number, true
	}
	add(desired.Node)
	for i := range desired.Peers {
		add(desired.Peers[i].Node)
	}
	return all
}
