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

// defaultPageSize is the default size of a page.
const defaultPageSize = 100

// Kernel answers queries for the kernel's routes, including those that don't fit into a report.
// Each query reads the kernel, so it neither waits for the driver nor delays it.
func Kernel(read func() (map[netip.Prefix][]fib.Hop, error)) message.Kernel {
	return func(query bgp.Query) (*agentv1.KernelAnswer, error) {
		known, err := read()
		if err != nil {
			return nil, err
		}
		meant := slices.DeleteFunc(slices.Collect(maps.Keys(known)), func(prefix netip.Prefix) bool { return !matches(query, prefix) })
		slices.SortFunc(meant, bgp.ComparePrefixes)
		most := query.Limit
		if most <= 0 {
			most = defaultPageSize
		}
		answer := &agentv1.KernelAnswer{Known: uint64(len(known))}
		if len(meant) > most {
			meant = meant[:most]
			answer.Next = bgp.Cursor{Prefix: meant[most-1]}.String()
		}
		for _, prefix := range meant {
			route := &agentv1.KernelRoute{Prefix: prefix.String()}
			for _, hop := range known[prefix] {
				route.NextHops = append(route.NextHops, &agentv1.NextHop{Address: hop.Via.String(), Weight: uint32(hop.Weight)})
			}
			answer.Routes = append(answer.Routes, route)
		}
		return answer, nil
	}
}

func matches(query bgp.Query, prefix netip.Prefix) bool {
	return query.Within(prefix) && (!query.Covers.IsValid() || prefix.Contains(query.Covers.Unmap())) &&
		(!query.After.Prefix.IsValid() || bgp.ComparePrefixes(prefix, query.After.Prefix) > 0)
}
