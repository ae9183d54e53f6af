package lab

import (
	"context"
	"maps"
	"net/netip"
	"os"
	"runtime"
	"slices"
	"time"

	"fairlead.dev/agents/internal/lab/topology"
)

// status queries the owner first, then the clients, which may be slow.
func (l *Lab) status(ctx context.Context) (Status, error) {
	s := Status{
		Lab: l.topology.Name, Pid: os.Getpid(), Network: string(l.topology.Network), Rootless: l.options.Rootless, Digest: l.options.Digest,
		Members: []MemberStatus{}, Traffic: []TrafficStatus{}, // empty lists, not null, before any client replied
		Routines: runtime.NumGoroutine(),
	}
	var clients []string
	err := l.do(ctx, func() (err error) {
		if table := l.members[topology.Router].table; table != nil {
			s.Resilient = table.Resilient()
		}
		for _, name := range l.order {
			s.Members = append(s.Members, l.memberStatus(l.members[name]))
		}
		clients = l.runningClients()
		s.Routes, err = l.routeStatus()
		return err
	})
	if err != nil {
		return Status{}, err
	}
	s.Traffic = append(s.Traffic, l.readTraffic(ctx, clients)...)
	return s, nil
}

func (l *Lab) memberStatus(m *member) MemberStatus {
	s := MemberStatus{Name: m.name, Kind: string(m.kind), Namespace: m.space.Name, Node: m.node, Cut: m.cut, Drained: m.drained, State: "up"}
	for _, address := range m.addresses.addrs() {
		s.Addresses = append(s.Addresses, address.String())
	}
	if m.process != nil {
		s.State, s.Pid, s.Starts = m.process.state(), m.process.pid(), m.process.starts
		if m.process.command == nil {
			s.Why = m.process.lastEnd
		}
	}
	switch {
	case m.begin != nil:
		s.State = "waiting"
		s.Why = "its traffic begins when a balancer is ready"
	case m.drained:
		s.State = "drained"
	case m.kind == adaptive && m.process == nil:
		s.State, s.Why = "not started", m.why
	case m.kind == balancer && m.leaving:
		s.State = "leaving"
	case m.kind == balancer && s.State == "running" && m.ready:
		s.State = "ready"
	case m.kind == balancer && s.State == "running":
		s.State, s.Why = "not ready", m.why
	case m.kind == pod && (s.State == "running" || s.State == "up"):
		s.State = l.pods.stateOf(m.name, time.Now())
	}
	if m.line != nil {
		delay, loss := m.line.Settings()
		counts := m.line.Counts()
		s.Link = &LinkStatus{float64(delay) / float64(time.Millisecond), loss, counts.Passed, counts.Lost, counts.Dropped}
	}
	return s
}

func (l *Lab) routeStatus() ([]RouteStatus, error) {
	routes := []RouteStatus{}
	if l.byBGP() {
		if err := l.readRoutes(); err != nil {
			return nil, err
		}
		for _, to := range slices.SortedFunc(maps.Keys(l.hops), netip.Prefix.Compare) {
			routes = append(routes, RouteStatus{At: topology.Router, To: to.String(), Via: textsOf(l.hops[to])})
		}
		return routes, nil
	}
	for _, name := range l.order {
		m := l.members[name]
		if m.table == nil {
			continue
		}
		all := l.where.services()
		for _, to := range m.table.Prefixes() {
			if !slices.Contains(all, to) {
				all = append(all, to)
			}
		}
		for _, to := range all {
			via, err := m.table.Observe(to)
			if err != nil {
				return nil, err
			}
			routes = append(routes, RouteStatus{At: name, To: to.String(), Via: textsOf(via)})
		}
	}
	return routes, nil
}

func textsOf(addresses []netip.Addr) []string {
	texts := make([]string, len(addresses))
	for i, address := range addresses {
		texts[i] = address.String()
	}
	return texts
}
