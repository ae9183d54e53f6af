package fib

import (
	"fmt"
	"net/netip"
)

// tableMain is where routes are if nobody says otherwise.
const tableMain = 254

// Rival is a route of another program that the kernel prefers to ours.
type Rival struct {
	Protocol string // who made it, as ip(8) calls that; a number where it has no name
	Via      netip.Addr
	Link     string
	Metric   uint32
	Table    int
	Local    bool // the address is one of this host
	Drops    bool // it leads nowhere
}

// Elsewhere says whether a rule leads to it, past the table that ours is in.
func (r Rival) Elsewhere() bool { return r.Table != 0 && r.Table != tableMain }

// String says which it is.
func (r Rival) String() string {
	said := "a route"
	switch {
	case r.Local:
		return "an address of this host, on " + r.Link
	case r.Drops:
		said = "a route that drops it"
	}
	if r.Protocol != "" {
		said += fmt.Sprintf(" of protocol %s with metric %d", r.Protocol, r.Metric)
	}
	if r.Elsewhere() {
		said += fmt.Sprintf(" in table %d", r.Table)
	}
	if r.Via.IsValid() {
		said += " via " + r.Via.String()
	}
	if r.Link != "" && !r.Drops {
		said += " dev " + r.Link
	}
	return said
}
