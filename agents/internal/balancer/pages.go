package balancer

import (
	"fmt"
	"net/http"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/exposition"
)

// Pages are the HTTP pages of one replica, for Prometheus, a kubelet and the lab.
func (d *Driver) Pages(overheard *agent.ObservedLink) map[string]http.Handler {
	return map[string]http.Handler{
		"/addresses": d.recordQuestion(http.HandlerFunc(d.serveAddresses)),
		"/metrics":   exposition.Page(d.metrics),
		"/readyz":    http.HandlerFunc(d.serveReadiness),
		"/status":    d.recordQuestion(overheard),
	}
}

func (d *Driver) serveReadiness(w http.ResponseWriter, _ *http.Request) {
	ready, sentence := d.ready.Load().now()
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if !ready {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	fmt.Fprintln(w, sentence)
}

// serveAddresses lists the service addresses that a router may send here, one per line;
// none while the replica isn't ready.
func (d *Driver) serveAddresses(w http.ResponseWriter, _ *http.Request) {
	addresses, sentence := d.ready.Load().listed()
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if sentence != "" {
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprintln(w, sentence)
		return
	}
	for _, address := range addresses {
		fmt.Fprintln(w, address)
	}
}
