package message

import (
	"fmt"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/events"
)

// Event reasons of BGP.
const (
	SessionUp    = "BgpSessionUp"
	SessionDown  = "BgpSessionDown"
	RouteRefused = "BgpRouteRefused"
	HopShared    = "BgpNextHopShared"
)

// maxRefusals limits the events for single routes: a peer that leaks a table causes one event
// more, not a thousand.
const maxRefusals = 10

// Record records an engine's changes as events.
func Record(to *events.Events, changes bgp.Changes) {
	for _, one := range changes.Sessions {
		peer := fmt.Sprintf("%s of AS %d", one.Peer, one.AS)
		switch {
		case one.State == bgp.Established:
			to.Record(events.Event{At: one.At, Reason: SessionUp, Message: fmt.Sprintf("The BGP session with %s is up.", peer)})
		case one.Reason != "":
			to.Record(events.Event{At: one.At, Reason: SessionDown, Warning: true, Message: fmt.Sprintf("The BGP session with %s is down: %s.", peer, one.Reason)})
		}
	}
	for _, one := range changes.Shared {
		to.Record(events.Event{Reason: HopShared, Warning: true, Message: fmt.Sprintf(
			"%s and %s both advertise the next hop %s, so traffic to it reaches only one of them: give each its own address.",
			one.Peers[0], one.Peers[1], one.NextHop)})
	}
	for i, one := range changes.Refused {
		if i == maxRefusals {
			to.Record(events.Event{Reason: RouteRefused, Warning: true, Message: fmt.Sprintf("%d more routes of peers are refused.", len(changes.Refused)-i)})
			break
		}
		to.Record(events.Event{Reason: RouteRefused, Warning: true, Message: fmt.Sprintf(
			"The route to %s from %s is refused: it is outside the accepted prefixes.", one.Prefix, one.Peer)})
	}
}
