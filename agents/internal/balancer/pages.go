package balancer

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"fairlead.dev/agents/internal/agent"
)

// Pages are the HTTP pages of one replica, for Prometheus, a kubelet and the lab.
func (d *Driver) Pages(overheard *agent.ObservedLink) map[string]http.Handler {
	return map[string]http.Handler{
		"/addresses": d.recordQuestion(http.HandlerFunc(d.serveAddresses)),
		"/metrics":   http.HandlerFunc(d.serveMetrics),
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
	state := d.ready.Load()
	ready, sentence := state.now()
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if !ready {
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprintln(w, sentence)
		return
	}
	for _, address := range state.addresses {
		fmt.Fprintln(w, address)
	}
}

func (d *Driver) serveMetrics(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	own := []figure{{metric: "agentGoroutines", value: float64(runtime.NumGoroutine())}}
	if exchange := d.ready.Load().exchange; exchange != nil {
		own = append(own, figure{metric: "firstPacketsUnacknowledged", value: float64(exchange.Unacked())})
	}
	writeExposition(w, append(slices.Clone(d.figures.snapshot()), own...))
}

// Help texts are written even without values: no drops may also mean that drops aren't
// counted.
var help = map[string]string{
	"dropsPerSecond": "What was dropped, by reason. Engine ipvs shows none, for the kernel's IP_VS counts none; " +
		"engine nftables shows services without a backend and fragments, and none on the way to a backend.",
	"toClientsBps": "What passed on its way to clients: 0 with the deliveries direct, tunnel and gue, whose replies bypass the balancer (DSR).",
}

// writeExposition groups by metric, as Prometheus' text format requires.
func writeExposition(w io.Writer, all []figure) {
	grouped := map[string][]figure{}
	for metric := range help {
		grouped[metric] = nil
	}
	for _, one := range all {
		grouped[one.metric] = append(grouped[one.metric], one)
	}
	out := bufio.NewWriter(w)
	defer out.Flush()
	for _, metric := range slices.Sorted(maps.Keys(grouped)) {
		name := "fairlead_" + snakeCase(metric)
		if text := help[metric]; text != "" {
			fmt.Fprintf(out, "# HELP %s %s\n", name, text)
		}
		fmt.Fprintf(out, "# TYPE %s gauge\n", name)
		for _, one := range grouped[metric] {
			fmt.Fprintf(out, "%s%s %s\n", name, labelsOf(one), strconv.FormatFloat(one.value, 'g', -1, 64))
		}
	}
}

var labelEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func labelsOf(one figure) string {
	if len(one.labels) == 0 {
		return ""
	}
	var labels []string
	for _, key := range slices.Sorted(maps.Keys(one.labels)) {
		labels = append(labels, snakeCase(key)+`="`+labelEscaper.Replace(one.labels[key])+`"`)
	}
	return "{" + strings.Join(labels, ",") + "}"
}

func snakeCase(name string) string {
	var out strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}
