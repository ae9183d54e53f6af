package backend

import (
	"fmt"
	"net/netip"

	"fairlead.dev/agents/internal/netspace"
)

// located is where servers are, and why others have no place, as sentences.
type located struct {
	places  map[at]*wanted
	of      map[key]at
	missing map[key]string
}

// locate finds the namespaces of servers by their own addresses.
func locate(servers []Server, found *spaces, pattern string) located {
	l := located{places: map[at]*wanted{}, of: map[key]at{}, missing: map[key]string{}}
	taken := map[at]map[netip.AddrPort]string{}
	for i := range servers {
		s := &servers[i]
		home, why := found.withAddress(s.Own, pattern)
		if why != "" {
			l.missing[s.key()] = why
			continue
		}
		where := at{home.id, home.addresses[s.Own]}
		if other, ok := taken[where][s.Service]; ok {
			l.missing[s.key()] = fmt.Sprintf("Backend %s is in the same network namespace and serves %s too: remove one of them.", other, s.Service)
			continue
		}
		w := l.places[where]
		if w == nil { // servers are sorted, so the first address stays the same
			w = &wanted{space: home, listen: netip.AddrPortFrom(s.Own, companionPort)}
			l.places[where], taken[where] = w, map[netip.AddrPort]string{}
		}
		w.servers = append(w.servers, s)
		taken[where][s.Service], l.of[s.key()] = s.Backend, where
	}
	return l
}

// withAddress returns the only namespace with an address, or why there is none, as a sentence.
func (s *spaces) withAddress(address netip.Addr, pattern string) (home *space, why string) {
	for _, one := range s.kept {
		if _, has := one.addresses[address]; !has {
			continue
		}
		if home != nil {
			return nil, fmt.Sprintf("Several network namespaces of this node have the address %s: name the files of the right ones with --namespaces, such as %s/*.", address, netspace.Folder)
		}
		home = one
	}
	switch {
	case home != nil:
		return home, ""
	case s.denied > 0:
		return nil, fmt.Sprintf("No network namespace that the agent may read has the address %s, and it may not read those of %d processes: give it the capability SYS_PTRACE.", address, s.denied)
	case pattern != "":
		return nil, fmt.Sprintf("None of the %d network namespaces of %s, and of the agent, has the address %s on an interface other than loopback: the instance has ended, or --namespaces names other files.", s.looked, pattern, address)
	}
	return nil, fmt.Sprintf("None of the %d network namespaces of this node has the address %s on an interface other than loopback: the instance has ended, or the agent doesn't see its processes (in a pod, it needs hostPID).", s.looked, address)
}
