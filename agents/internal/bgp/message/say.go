package message

import (
	"fmt"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/events"
)

// The words events of BGP can be searched for.
const (
	SessionUp    = "BgpSessionUp"
	SessionDown  = "BgpSessionDown"
	RouteRefused = "BgpRouteRefused"
	HopShared    = "BgpNextHopShared"
)

// refusalsMost are told one by one: a peer that leaks a table is one event more, not a thousand.
const refusalsMost = 10

// Say makes events of what an engine told.
func Say(to *events.Events, changes bgp.Changes) {
	for _, one := range changes.Sessions {
		peer := fmt.Sprintf("%s of AS %d", one.Peer, one.AS)
		switch {
		case one.State == bgp.Established:
			to.Say(events.Event{At: one.At, Reason: SessionUp, Message: fmt.Sprintf("The BGP session with %s is up.", peer)})
		case one.Reason != "":
			to.Say(events.Event{At: one.At, Reason: SessionDown, Warning: true, Message: fmt.Sprintf("The BGP session with %s is down: %s.", peer, one.Reason)})
		}
	}
	for _, one := range changes.Shared {
		to.Say(events.Event{Reason: HopShared, Warning: true, Message: fmt.Sprintf(
			"%s and %s both offer the next hop %s, so what is sent there reaches only one of them: give each an address of its own.",
			one.Peers[0], one.Peers[1], one.NextHop)})
	}
	for i, one := range changes.Refused {
		if i == refusalsMost {
			to.Say(events.Event{Reason: RouteRefused, Warning: true, Message: fmt.Sprintf("%d more routes that peers offer are refused.", len(changes.Refused)-i)})
			break
		}
		to.Say(events.Event{Reason: RouteRefused, Warning: true, Message: fmt.Sprintf(
			"%s offers %s, which is refused: it lies outside the prefixes that are accepted.", one.Peer, one.Prefix)})
	}
}
