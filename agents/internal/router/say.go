package router

import (
	"fmt"
	"net/netip"
	"time"

	"fairlead.dev/agents/internal/events"
	"fairlead.dev/agents/internal/fib"
)

// The words events of this role can be searched for.
const (
	RoutesTakenOver = "RoutesTakenOver"
	RoutesKept      = "RoutesKept"
	RoutesGivenUp   = "RoutesGivenUp"
	RouteNotWritten = "RouteNotWritten"
	RouteWritten    = "RouteWritten"
	RouteShadowed   = "RouteShadowed"
	RouteUsed       = "RouteUsed"
)

// saidEach are told one by one: a link that goes down may take a thousand routes with it.
const saidEach = 10

// sayTakenOver tells what there was when this process began.
func (d *Driver) sayTakenOver(routes int) {
	if routes > 0 {
		d.news.Say(events.Event{Reason: RoutesTakenOver, Message: fmt.Sprintf(
			"Routes of the process before are taken over: %d. Traffic went on by them.", routes)})
	}
}

// sayBelief tells when the kernel's routes stay without anybody who tells of them, and when
// they stay no longer.
func (d *Driver) sayBelief(before belief) {
	routes := len(d.routed)
	switch {
	case routes == 0 || d.believed == before:
	case d.believed == nothing:
		d.news.Say(events.Event{Reason: RoutesKept, Warning: true, Message: fmt.Sprintf(
			"No peer is left: routes stay as they were until %s, %d of them.", d.keptUntil(), routes)})
	case before == nothing && d.believed == everything:
		d.news.Say(events.Event{Reason: RoutesGivenUp, Warning: true, Message: fmt.Sprintf(
			"%s within %s: routes are taken away, %d of them.", d.unheard("No peer came back", "Peers that came back offered nothing"), d.trust.keeps, routes)})
	}
}

// unheard says why nothing is known: there is nobody, or who is there says nothing.
func (d *Driver) unheard(nobody, silent string) string {
	if d.peers > 0 {
		return silent
	}
	return nobody
}

func (d *Driver) keptUntil() string {
	return d.trust.since.Add(d.trust.keeps).UTC().Format(time.TimeOnly + " UTC")
}

// sayWritten tells of a route that the kernel doesn't take as peers offer it, and when it does at last.
func (d *Driver) sayWritten(prefix netip.Prefix, hops []netip.Addr, err error) {
	before, failed := d.refused[prefix]
	switch {
	case err != nil && !failed && len(d.refused) == saidEach:
		d.news.Say(events.Event{Reason: RouteNotWritten, Warning: true, Message: "More routes are not as peers offer them; the agent's warnings name each."})
	case err != nil && !failed && len(d.refused) > saidEach:
	case err != nil && err.Error() != before:
		d.news.Say(events.Event{Reason: RouteNotWritten, Warning: true, Message: "A route is not as peers offer it: " + err.Error() + "."})
	case err == nil && failed && len(hops) == 0:
		d.news.Say(events.Event{Reason: RouteWritten, Message: fmt.Sprintf("There is to be no route to %s any more.", prefix)})
	case err == nil && failed:
		d.news.Say(events.Event{Reason: RouteWritten, Message: fmt.Sprintf("The route to %s is as peers offer it again.", prefix)})
	}
}

// sayShadowed tells of a route that the kernel has and doesn't use, and when it does.
func (d *Driver) sayShadowed(prefix netip.Prefix, hops []netip.Addr, rival *fib.Rival) {
	before, was := d.shadowed[prefix]
	if rival == nil {
		delete(d.shadowed, prefix)
		if was && len(hops) > 0 {
			d.news.Say(events.Event{Reason: RouteUsed, Message: fmt.Sprintf("Traffic to %s goes by the route that peers offer again.", prefix)})
		}
		return
	}
	now := fmt.Sprintf("Traffic to %s goes by %s, which the kernel prefers to the route that peers offer: balancers get none of it from this router. %s.",
		prefix, rival, d.remedy(rival))
	d.shadowed[prefix] = now
	switch {
	case now == before || !was && len(d.shadowed) > saidEach+1:
	case !was && len(d.shadowed) == saidEach+1:
		d.news.Say(events.Event{Reason: RouteShadowed, Warning: true, Message: "Traffic to more prefixes goes by other programs' routes; the agent's warnings name each."})
	default:
		d.news.Say(events.Event{Reason: RouteShadowed, Warning: true, Message: now})
	}
}

func (d *Driver) remedy(rival *fib.Rival) string {
	if rival.Local || rival.Elsewhere() {
		return "Take that away"
	}
	return fmt.Sprintf("Take that away, or give it a metric above %d", d.desired.Table.Metric)
}
