package adaptive

import (
	"fmt"
	"net/http"
)

// serveReadiness is for a kubelet, which replaces the agent of the next node once this one works.
func (d *Driver) serveReadiness(w http.ResponseWriter, _ *http.Request) {
	ready, text := d.ready()
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if !ready {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	fmt.Fprintln(w, text)
}

// ready returns whether this node distributes connections as configured, in a sentence. Services whose backends are down
// don't count: another agent couldn't serve them either.
func (d *Driver) ready() (is bool, text string) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	switch {
	case d.unset != nil:
		return false, sentence(fmt.Errorf("the newest configuration is not in use: %w", d.unset))
	case d.sockets == nil:
		return false, "This agent has no configuration with the role adaptive."
	case d.trouble.costs != "":
		return false, d.trouble.costs
	}
	return true, fmt.Sprintf("All %d services are distributed.", len(d.services))
}
