package router

import (
	"fmt"
	"net/netip"
	"time"

	"fairlead.dev/agents/internal/events"
	"fairlead.dev/agents/internal/fib"
)

// Event reasons of this role.
const (
	RoutesTakenOver = "RoutesTakenOver"
	RoutesKept      = "RoutesKept"
	RoutesGivenUp   = "RoutesGivenUp"
	RouteNotWritten = "RouteNotWritten"
	RouteWritten    = "RouteWritten"
	RouteShadowed   = "RouteShadowed"
	RouteUsed       = "RouteUsed"
	SharesUnknown   = "SharesUnknown"
	SharesKnown     = "SharesKnown"
)

// maxSingleEvents limits the events for single routes: a link that goes down may affect a thousand.
const maxSingleEvents = 10

// reportAdopted reports the routes that this process adopted.
func (d *Driver) reportAdopted(routes int) {
	if routes > 0 {
		d.news.Record(events.Event{Reason: RoutesTakenOver, Message: fmt.Sprintf(
			"Adopted %d routes of the previous process. Traffic was not interrupted.", routes)})
	}
}

// reportTrust reports when routes are kept without a peer, and when they are removed.
func (d *Driver) reportTrust(before trustLevel) {
	routes := len(d.routed)
	switch {
	case routes == 0 || d.trusted == before:
	case d.trusted == nothing:
		d.news.Record(events.Event{Reason: RoutesKept, Warning: true, Message: fmt.Sprintf(
			"All peers are lost: %d routes are kept until %s.", routes, d.keptUntil())})
	case before == nothing && d.trusted == everything:
		d.news.Record(events.Event{Reason: RoutesGivenUp, Warning: true, Message: fmt.Sprintf(
			"%s within %s: %d routes are removed.", d.lossReason("No peer came back", "Peers came back without routes"), d.trust.keeps, routes)})
	}
}

// lossReason selects the text: no peer is connected, or the peers advertise nothing.
func (d *Driver) lossReason(noPeer, silent string) string {
	if d.peers > 0 {
		return silent
	}
	return noPeer
}

func (d *Driver) keptUntil() string {
	return d.trust.since.Add(d.trust.keeps).UTC().Format(time.TimeOnly + " UTC")
}

// reportWritten reports a route that could not be installed completely, and its recovery.
func (d *Driver) reportWritten(prefix netip.Prefix, hops []netip.Addr, err error) {
	before, failed := d.refused[prefix]
	switch {
	case err != nil && !failed && len(d.refused) == maxSingleEvents:
		d.news.Record(events.Event{Reason: RouteNotWritten, Warning: true, Message: "More routes could not be installed completely; the agent's warnings list them."})
	case err != nil && !failed && len(d.refused) > maxSingleEvents:
	case err != nil && err.Error() != before:
		d.news.Record(events.Event{Reason: RouteNotWritten, Warning: true, Message: "A route could not be installed completely: " + err.Error() + "."})
	case err == nil && failed && len(hops) == 0:
		d.news.Record(events.Event{Reason: RouteWritten, Message: fmt.Sprintf("The route to %s is no longer needed.", prefix)})
	case err == nil && failed:
		d.news.Record(events.Event{Reason: RouteWritten, Message: fmt.Sprintf("The route to %s is installed completely again.", prefix)})
	}
}

// reportShadowed reports a route that the kernel has but doesn't use, and its recovery.
func (d *Driver) reportShadowed(prefix netip.Prefix, hops []netip.Addr, rival *fib.Rival) {
	before, was := d.shadowed[prefix]
	if rival == nil {
		delete(d.shadowed, prefix)
		if was && len(hops) > 0 {
			d.news.Record(events.Event{Reason: RouteUsed, Message: fmt.Sprintf("Traffic to %s uses the route of the BGP peers again.", prefix)})
		}
		return
	}
	now := fmt.Sprintf("Traffic to %s uses %s, which the kernel prefers to the route of the BGP peers: this router sends none of it to the balancers. %s.",
		prefix, rival, d.remedy(rival))
	d.shadowed[prefix] = now
	switch {
	case now == before || !was && len(d.shadowed) > maxSingleEvents+1:
	case !was && len(d.shadowed) == maxSingleEvents+1:
		d.news.Record(events.Event{Reason: RouteShadowed, Warning: true, Message: "Traffic to more prefixes uses routes of other programs; the agent's warnings list them."})
	default:
		d.news.Record(events.Event{Reason: RouteShadowed, Warning: true, Message: now})
	}
}

func (d *Driver) remedy(rival *fib.Rival) string {
	if rival.Local || rival.Elsewhere() {
		return "Remove it"
	}
	return fmt.Sprintf("Remove that route, or set its metric above %d", d.desired.Table.Metric)
}
