package inward

import (
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/rawip"
)

// knownFor is how long a data path may know a UDP flow that is idle.
const knownFor = 2 * time.Minute

// ports reserves the source port of a probe. A datagram of a flow that the data path knows goes to that flow's backend,
// even if no new flow would: so a UDP flow isn't used again while it may be known.
type ports struct {
	mu     sync.Mutex
	used   map[datagrams]time.Time
	pruned time.Time
}

// datagrams is a UDP flow from this host.
type datagrams struct {
	to   netip.AddrPort
	port uint16
}

// reserve lets the kernel choose, until the flow is a new one. If all are known, it takes one of them.
func (p *ports) reserve(from netip.Addr, to netip.AddrPort, protocol byte) (port uint16, release func(), err error) {
	var passed []func()
	defer func() {
		for _, release := range passed {
			release()
		}
	}()
	for {
		port, release, err = rawip.Reserve(netip.AddrPortFrom(from, 0), protocol)
		if errors.Is(err, unix.EADDRINUSE) && len(passed) > 0 {
			last := len(passed) - 1
			passed[last]()
			passed = passed[:last]
			port, release, err = rawip.Reserve(netip.AddrPortFrom(from, 0), protocol)
		} else if err == nil && protocol == rawip.UDP && !p.isNew(datagrams{to, port}, time.Now()) {
			passed = append(passed, release) // held meanwhile, so that the kernel chooses another
			continue
		}
		if err != nil {
			return 0, nil, fmt.Errorf("reserve a port: %w", err)
		}
		return port, release, nil
	}
}

// isNew also notes the flow.
func (p *ports) isNew(flow datagrams, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.Sub(p.pruned) > knownFor {
		for each, at := range p.used {
			if now.Sub(at) > knownFor {
				delete(p.used, each)
			}
		}
		p.pruned = now
	}
	at, known := p.used[flow]
	if known && now.Sub(at) <= knownFor {
		return false
	}
	if p.used == nil {
		p.used = map[datagrams]time.Time{}
	}
	p.used[flow] = now
	return true
}
