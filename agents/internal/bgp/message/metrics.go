package message

import (
	"net/http"
	"runtime"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/exposition"
)

// Metrics serves the newest report in the Prometheus format.
func Metrics(overheard *agent.ObservedLink) http.Handler {
	return exposition.Page(func() ([]exposition.Family, error) {
		status := overheard.Newest().GetBgp()
		goroutines := gauge("fairlead_agent_goroutines", "Goroutines of the agent.")
		goroutines.Samples = []exposition.Sample{{Value: float64(runtime.NumGoroutine())}}
		sessions := gauge("fairlead_bgp_session_up", "Whether the session with a peer is established.")
		for _, session := range status.GetSessions() {
			labels := map[string]string{"peer": session.GetPeer()}
			sessions.Samples = append(sessions.Samples, exposition.Sample{Labels: labels, Value: one(session.GetState() == "established")})
		}
		announced := gauge("fairlead_bgp_announced", "Whether a prefix is offered to routers.")
		for _, announcement := range status.GetAnnouncements() {
			labels := map[string]string{"prefix": announcement.GetPrefix(), "state": announcement.GetState()}
			announced.Samples = append(announced.Samples, exposition.Sample{Labels: labels, Value: one(announcement.GetState() != "withdrawn")})
		}
		nextHops := gauge("fairlead_kernel_next_hops", "Next hops by which the kernel sends a prefix.")
		for _, route := range status.GetRoutes() {
			labels := map[string]string{"prefix": route.GetPrefix()}
			nextHops.Samples = append(nextHops.Samples, exposition.Sample{Labels: labels, Value: float64(len(route.GetNextHops()))})
		}
		return []exposition.Family{goroutines, sessions, announced, nextHops}, nil
	})
}

func gauge(name, help string) exposition.Family {
	return exposition.Family{Name: name, Help: help, Kind: exposition.Gauge}
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
