package balancer

import (
	"maps"
	"slices"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/session/proxied"
	"fairlead.dev/agents/internal/session/replica"
)

// sessionFigures returns what happened to the clients of each load balancer since the last report.
func (f *figures) sessionFigures(services []Service, seconds float64) (all []figure) {
	came, known, held := map[string]replica.ServiceCounts{}, map[string]bool{}, map[string]uint64{}
	for i := range services {
		loadBalancer := services[i].LoadBalancer
		now, counted := f.sessions[services[i].Wanted.Key]
		if !counted {
			continue
		}
		held[loadBalancer] += now.Held
		if before, has := f.sessionsLast[services[i].Wanted.Key]; has {
			known[loadBalancer] = true
			came[loadBalancer] = came[loadBalancer].Add(now.Since(before))
		}
	}
	f.sessionsLast = f.sessions
	for _, loadBalancer := range slices.Sorted(maps.Keys(held)) {
		labels := map[string]string{"loadBalancer": loadBalancer}
		all = append(all, figure{"sessionHeldHellos", labels, float64(held[loadBalancer])})
		if known[loadBalancer] && seconds > 0 {
			all = append(all, sessionRates(came[loadBalancer], labels, seconds)...)
		}
	}
	return all
}

func sessionRates(came replica.ServiceCounts, labels map[string]string, seconds float64) []figure {
	all := []figure{
		{"sessionSynsPerSecond", labels, float64(came.SYNs) / seconds},
		{"sessionQuestionsPerSecond", labels, float64(came.Questions) / seconds},
	}
	hellos := func(kind, outcome string, count uint64) {
		with := with(with(labels, "kind", kind), "outcome", outcome)
		all = append(all, figure{"sessionHellosPerSecond", with, float64(count) / seconds})
	}
	for _, one := range []struct {
		kind     string
		outcomes replica.Outcomes
	}{{"psk", came.ByKey}, {"ticket", came.ByTicket}, {"id", came.ByID}} {
		hellos(one.kind, "home", one.outcomes.Home)
		hellos(one.kind, "gone", one.outcomes.Gone)
		hellos(one.kind, "unknown", one.outcomes.Unknown)
	}
	hellos("new", "", came.WithoutSession)
	hellos("unreadable", "", came.Unreadable)
	for _, one := range []struct {
		outcome string
		count   uint64
	}{{"found", came.Searched.Found}, {"absent", came.Searched.Absent}, {"unanswered", came.Searched.Unanswered}} {
		all = append(all, figure{"sessionIdSearchesPerSecond", with(labels, "outcome", one.outcome), float64(one.count) / seconds})
	}
	return all
}

// observe returns the counts of services that place connections by session, here or by the proxy.
func (p *placing) observe() (map[datapath.Key]replica.ServiceCounts, error) {
	all := map[datapath.Key]replica.ServiceCounts{}
	for key, one := range p.fallbacks {
		if one.proxied {
			all[key] = proxiedCounts(one.table.Counts())
		}
	}
	if p.placer == nil {
		return all, nil
	}
	counts, err := p.placer.Observe()
	maps.Copy(all, counts.Services)
	return all, err
}

func proxiedCounts(c proxied.Counts) replica.ServiceCounts {
	return replica.ServiceCounts{
		ByKey: replica.Outcomes(c.ByKey), ByTicket: replica.Outcomes(c.ByTicket), ByID: replica.Outcomes(c.ByID),
		WithoutSession: c.WithoutSession, Unreadable: c.Unreadable,
	}
}
