package lab

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"fairlead.dev/agents/internal/lab/app"
)

// Status is a lab's current state.
type Status struct {
	Lab       string          `json:"lab"`
	Pid       int             `json:"pid"`
	Network   string          `json:"network"`
	Rootless  bool            `json:"rootless"`
	Resilient bool            `json:"resilient"` // next-hop groups
	Digest    string          `json:"digest"`    // of the topology
	Routines  int             `json:"routines"`  // goroutines of its own process
	Members   []MemberStatus  `json:"members"`
	Routes    []RouteStatus   `json:"routes"`
	Traffic   []TrafficStatus `json:"traffic"`
}

// MemberStatus is one namespace.
type MemberStatus struct {
	Name      string      `json:"name"`
	Kind      string      `json:"kind"`
	Namespace string      `json:"namespace"`
	Node      string      `json:"node,omitempty"`
	Addresses []string    `json:"addresses"`
	State     string      `json:"state"`             // in one word
	Why       string      `json:"why,omitempty"`     // a sentence
	Pid       int         `json:"pid,omitempty"`     // of its process
	Starts    int         `json:"starts"`            // of its process
	Cut       bool        `json:"cut,omitempty"`     // its cable
	Link      *LinkStatus `json:"link,omitempty"`    // of a cable with a length
	Drained   bool        `json:"drained,omitempty"` // of a node
}

// LinkStatus is a cable with a length.
type LinkStatus struct {
	DelayMs float64 `json:"delayMs"`
	Loss    float64 `json:"loss"`
	Passed  uint64  `json:"passed"`
	Lost    uint64  `json:"lost"`
	Dropped uint64  `json:"dropped"`
}

// RouteStatus is read back from the kernel.
type RouteStatus struct {
	At  string   `json:"at"`
	To  string   `json:"to"`
	Via []string `json:"via"`
}

// TrafficStatus is what a client measured.
type TrafficStatus struct {
	Client  string `json:"client"`
	Service string `json:"service"`
	app.ServiceCounts
}

// EnginesRootless lists the engines that work without real root.
const EnginesRootless = "without root: the engines nftables and userspace work here; tcx and xdp don't, because the kernel lets only root load BPF programs"

// Print writes tables for people.
func (s Status) Print(w io.Writer) error {
	out := tabwriter.NewWriter(w, 2, 8, 2, ' ', 0)
	fmt.Fprintf(out, "lab %s, %s network, process %d\n", s.Lab, s.Network, s.Pid)
	if s.Rootless {
		fmt.Fprintln(out, EnginesRootless)
	}
	fmt.Fprintln(out, "\nNAME\tKIND\tNODE\tADDRESSES\tSTATE\tPID\tSTARTS\tCABLE")
	for _, m := range s.Members {
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", m.Name, m.Kind, m.Node, strings.Join(m.Addresses, " "), m.State, number(m.Pid), number(m.Starts), m.cable())
	}
	_ = out.Flush() // long sentences would widen the columns; the last Flush returns the error
	for _, m := range s.Members {
		if m.Why != "" {
			fmt.Fprintf(out, "%s is %s: %s\n", m.Name, m.State, m.Why)
		}
	}
	fmt.Fprintln(out, "\nROUTER\tTO\tNEXT HOPS")
	for _, r := range s.Routes {
		via := strings.Join(r.Via, " ")
		if via == "" {
			via = "none: no balancer is ready"
		}
		fmt.Fprintf(out, "%s\t%s\t%s\n", r.At, r.To, via)
	}
	if len(s.Traffic) > 0 {
		fmt.Fprintln(out, "\nCLIENT\tSERVICE\tREQUESTS\tPER SECOND\tCONNECTIONS\tOPEN\tFAILED\tBROKEN\tP50\tP99\tBACKENDS")
	}
	for _, t := range s.Traffic {
		fmt.Fprintf(out, "%s\t%s\t%d\t%.1f\t%d\t%d\t%d\t%d\t%s\t%s\t%s\n", t.Client, t.Service, t.Requests, t.PerSecond, t.Connections, t.Open,
			t.Failed, t.Broken, milliseconds(t.LatencyMsP50), milliseconds(t.LatencyMsP99), shares(t.Backends))
	}
	_ = out.Flush()
	for _, t := range s.Traffic {
		if t.Returns > 0 {
			fmt.Fprintf(out, "%s returned to %s %d times: %d sessions resumed, %d times at the same pod\n", t.Client, t.Service, t.Returns, t.Resumed, t.Home)
		}
	}
	return out.Flush()
}

func (m MemberStatus) cable() string {
	switch {
	case m.Cut:
		return "cut"
	case m.Link != nil:
		return fmt.Sprintf("%s, %g%% lost", milliseconds(m.Link.DelayMs), m.Link.Loss*100)
	}
	return ""
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func milliseconds(ms float64) string {
	return time.Duration(ms * float64(time.Millisecond)).Round(10 * time.Microsecond).String()
}

func shares(backends map[string]uint64) string {
	var total uint64
	var names []string
	for name, count := range backends {
		total += count
		names = append(names, name)
	}
	slices.Sort(names)
	var shares []string
	for _, name := range names {
		shares = append(shares, fmt.Sprintf("%s %.0f%%", name, 100*float64(backends[name])/float64(total)))
	}
	return strings.Join(shares, " ")
}
