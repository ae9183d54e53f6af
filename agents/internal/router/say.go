package router

import (
	"fmt"
	"net/netip"
	"time"

	"fairlead.dev/agents/internal/events"
)

// The words events of this role can be searched for.
const (
	RoutesKept      = "RoutesKept"
	RoutesGivenUp   = "RoutesGivenUp"
	RouteNotWritten = "RouteNotWritten"
	RouteWritten    = "RouteWritten"
)

// refusedSaid are told one by one: a link that goes down may take a thousand routes with it.
const refusedSaid = 10

// sayBelief tells when the kernel's routes stay without anybody who tells of them, and when
// they stay no longer.
func (d *Driver) sayBelief(before belief) {
	routes := len(d.routed)
	switch {
	case routes == 0 || d.believed == before:
	case d.believed == nothing:
		d.news.Say(events.Event{Reason: RoutesKept, Warning: true, Message: fmt.Sprintf(
			"No peer is left: %d routes stay as they were until %s.", routes, d.keptUntil())})
	case before == nothing && d.believed == everything:
		d.news.Say(events.Event{Reason: RoutesGivenUp, Warning: true, Message: fmt.Sprintf(
			"No peer came back within %s: %d routes are taken away.", d.trust.keeps, routes)})
	}
}

func (d *Driver) keptUntil() string {
	return d.trust.since.Add(d.trust.keeps).UTC().Format(time.TimeOnly + " UTC")
}

// sayWritten tells of a route that the kernel doesn't take as peers offer it, and when it does at last.
func (d *Driver) sayWritten(prefix netip.Prefix, err error) {
	before, failed := d.refused[prefix]
	switch {
	case err != nil && !failed && len(d.refused) == refusedSaid:
		d.news.Say(events.Event{Reason: RouteNotWritten, Warning: true, Message: "More routes are not as peers offer them; the agent's warnings name each."})
	case err != nil && !failed && len(d.refused) > refusedSaid:
	case err != nil && err.Error() != before:
		d.news.Say(events.Event{Reason: RouteNotWritten, Warning: true, Message: "A route is not as peers offer it: " + err.Error() + "."})
	case err == nil && failed:
		d.news.Say(events.Event{Reason: RouteWritten, Message: fmt.Sprintf("The route to %s is as peers offer it again.", prefix)})
	}
}
