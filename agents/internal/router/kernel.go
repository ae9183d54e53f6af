package router

import (
	"maps"
	"net/netip"
	"slices"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/message"
	"fairlead.dev/agents/internal/fib"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// pageOf is how many routes an answer has when nobody says.
const pageOf = 100

// Kernel answers by which hops the kernel sends prefixes, also those that don't fit into a
// report. It reads anew each time, so it never waits for the driver, nor holds it up.
func Kernel(read func() (map[netip.Prefix][]fib.Hop, error)) message.Kernel {
	return func(query bgp.Query) (*agentv1.KernelAnswer, error) {
		known, err := read()
		if err != nil {
			return nil, err
		}
		meant := slices.DeleteFunc(slices.Collect(maps.Keys(known)), func(prefix netip.Prefix) bool { return !means(query, prefix) })
		slices.SortFunc(meant, bgp.ComparePrefixes)
		most := query.Most
		if most <= 0 {
			most = pageOf
		}
		answer := &agentv1.KernelAnswer{Known: uint64(len(known))}
		if len(meant) > most {
			meant = meant[:most]
			answer.Next = bgp.Place{Prefix: meant[most-1]}.String()
		}
		for _, prefix := range meant {
			said := &agentv1.KernelRoute{Prefix: prefix.String()}
			for _, hop := range known[prefix] {
				said.NextHops = append(said.NextHops, &agentv1.NextHop{Address: hop.Via.String(), Weight: uint32(hop.Weight)})
			}
			answer.Routes = append(answer.Routes, said)
		}
		return answer, nil
	}
}

func means(query bgp.Query, prefix netip.Prefix) bool {
	return query.Within(prefix) && (!query.Covers.IsValid() || prefix.Contains(query.Covers.Unmap())) &&
		(!query.After.Prefix.IsValid() || bgp.ComparePrefixes(prefix, query.After.Prefix) > 0)
}
