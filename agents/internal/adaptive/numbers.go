package adaptive

import (
	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/balancer/datapath"
	bpf "fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// numbers are those of services in the kernel. A service keeps its own, because counts of a number that gets another
// service begin at 0.
type numbers map[datapath.Key]uint16

// next returns the numbers of these services, at most as many as there are numbers. A new one gets the number that its
// key hashes to, or the next free one, so that the next process gives the same ones.
func (n numbers) next(services []Service) numbers {
	all, taken := numbers{}, map[uint16]bool{}
	for i := range services {
		if number, has := n[services[i].Key]; has {
			all[services[i].Key], taken[number] = number, true
		}
	}
	for i := range services {
		key := services[i].Key
		if _, has := all[key]; has {
			continue
		}
		number := uint16(bpf.SeedOf(key)%uint32(program.LastNumber)) + 1
		for taken[number] {
			number = number%program.LastNumber + 1
		}
		all[key], taken[number] = number, true
	}
	return all
}
