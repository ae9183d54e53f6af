package bpf

import "fairlead.dev/agents/internal/balancer/datapath/bpf/program"

// longestTunnelled is the kernel's default limit for packets that an interface sends
// unsplit.
const longestTunnelled = 1 << 16

// tooLong returns the interface of a tunnel that may send packets too long for the length
// fields of the outer header. There, unlike in other packets, the receiver doesn't accept a
// length of 0. An interface with the default limit has the kernel split such packets first,
// and the kernel then sets the lengths.
func (e *Engine) tooLong() (name string) {
	for _, b := range e.model.Slots {
		if program.IsTunnelled(b.Entry.Delivery) && e.network.Longest(b.Hop.Link) > longestTunnelled {
			return e.network.NameOf(b.Hop.Link)
		}
	}
	return ""
}
