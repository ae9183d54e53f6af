package fib

import (
	"fmt"
	"net/netip"
)

// tableMain is the default routing table.
const tableMain = 254

// Rival is a route of another program that the kernel prefers to ours.
type Rival struct {
	Protocol string // the creator's name in ip(8), or its number
	Via      netip.Addr
	Link     string
	Metric   uint32
	Table    int
	Local    bool // the address belongs to this host
	Drops    bool // it drops traffic
}

// Elsewhere reports whether a rule selects it from a table other than ours.
func (r Rival) Elsewhere() bool { return r.Table != 0 && r.Table != tableMain }

// String describes the route.
func (r Rival) String() string {
	text := "a route"
	switch {
	case r.Local:
		return "an address of this host, on " + r.Link
	case r.Drops:
		text = "a route that drops it"
	}
	if r.Protocol != "" {
		text += fmt.Sprintf(" of protocol %s with metric %d", r.Protocol, r.Metric)
	}
	if r.Elsewhere() {
		text += fmt.Sprintf(" in table %d", r.Table)
	}
	if r.Via.IsValid() {
		text += " via " + r.Via.String()
	}
	if r.Link != "" && !r.Drops {
		text += " dev " + r.Link
	}
	return text
}
