package message

import (
	"bufio"
	"fmt"
	"net/http"
	"runtime"

	"fairlead.dev/agents/internal/agent"
)

// Metrics serves the newest report in the Prometheus format.
func Metrics(overheard *agent.ObservedLink) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		out := bufio.NewWriter(w)
		defer out.Flush()
		gauge(out, "fairlead_agent_goroutines", "Goroutines of the agent.")
		fmt.Fprintf(out, "fairlead_agent_goroutines %d\n", runtime.NumGoroutine())
		status := overheard.Newest().GetBgp()
		gauge(out, "fairlead_bgp_session_up", "Whether the session with a peer is established.")
		for _, session := range status.GetSessions() {
			fmt.Fprintf(out, "fairlead_bgp_session_up{peer=%q} %d\n", session.GetPeer(), one(session.GetState() == "established"))
		}
		gauge(out, "fairlead_bgp_announced", "Whether a prefix is offered to routers.")
		for _, announcement := range status.GetAnnouncements() {
			fmt.Fprintf(out, "fairlead_bgp_announced{prefix=%q,state=%q} %d\n",
				announcement.GetPrefix(), announcement.GetState(), one(announcement.GetState() != "withdrawn"))
		}
		gauge(out, "fairlead_kernel_next_hops", "Next hops by which the kernel sends a prefix.")
		for _, route := range status.GetRoutes() {
			fmt.Fprintf(out, "fairlead_kernel_next_hops{prefix=%q} %d\n", route.GetPrefix(), len(route.GetNextHops()))
		}
	})
}

func gauge(out *bufio.Writer, name, help string) {
	fmt.Fprintf(out, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name)
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}
