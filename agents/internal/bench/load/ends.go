package load

import (
	"math/rand/v2"
	"net/netip"
	"sync"
)

// ends chooses both addresses of each connection at random, independently. Users are served in almost the same order
// again and again, so if the addresses took turns, a user could get the same ones for the whole run.
type ends struct {
	sources   []netip.Addr // the kernel's choice when empty
	addresses []netip.AddrPort

	lock   sync.Mutex
	random *rand.Rand
}

// The second halves of the seeds, so that arrivals and addresses are independent.
const (
	seedOfArrivals = iota
	seedOfEnds
)

func newEnds(o Options) *ends {
	return &ends{sources: o.Sources, addresses: o.Addresses, random: rand.New(rand.NewPCG(o.Seed, seedOfEnds))}
}

// next returns the addresses of a connection; the source is invalid if the kernel chooses it.
func (e *ends) next() (source netip.Addr, address netip.AddrPort) {
	e.lock.Lock()
	defer e.lock.Unlock()
	if len(e.sources) > 0 {
		source = e.sources[e.random.IntN(len(e.sources))]
	}
	return source, e.addresses[e.random.IntN(len(e.addresses))]
}
