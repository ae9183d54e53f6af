package router

import (
	"fmt"
	"net/netip"
	"strings"
	"time"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/events"
)

// sharesArriveWithin is how long the next hops of a prefix may have different knowledge of their shares: replicas get a new
// configuration one after the other.
const sharesArriveWithin = 10 * time.Second

// unknownShare is a prefix of which some next hops have a share, and others don't.
type unknownShare struct {
	since    time.Time
	reported bool
}

// withoutShare returns the next hops that have no share although others do: all are equal because of them.
func withoutShare(hops []bgp.NextHop) (without []netip.Addr) {
	for _, hop := range hops {
		if hop.Bandwidth <= 0 {
			without = append(without, hop.Via)
		}
	}
	if len(without) == len(hops) {
		return nil
	}
	return without
}

// checkShares reports a prefix whose next hops are equal because a share is unknown, and its recovery. It returns the warning, or "".
func (d *Driver) checkShares(prefix netip.Prefix) string {
	now, state := d.options.Now(), d.unknown[prefix]
	without := withoutShare(d.routed[prefix])
	if len(without) == 0 {
		delete(d.unknown, prefix)
		if state.reported && len(d.routed[prefix]) > 0 {
			d.news.Record(events.Event{Reason: SharesKnown, Message: fmt.Sprintf("The shares of all next hops of %s are known again.", prefix)})
		}
		return ""
	}
	if state.since.IsZero() {
		state.since = now
	}
	defer func() { d.unknown[prefix] = state }()
	if now.Sub(state.since) < sharesArriveWithin {
		return ""
	}
	warning := fmt.Sprintf("All next hops of %s get the same share, because no link bandwidth arrives with %s: update the agents of these replicas, or check that reflectors between pass on extended communities.",
		prefix, listed(without))
	if !state.reported && d.unknownReported() < maxSingleEvents {
		state.reported = true
		d.news.Record(events.Event{Reason: SharesUnknown, Warning: true, Message: warning})
	}
	return warning
}

func (d *Driver) unknownReported() (count int) {
	for _, state := range d.unknown {
		if state.reported {
			count++
		}
	}
	return count
}

// listed limits how many addresses a message names.
func listed(addresses []netip.Addr) string {
	const most = 3
	var names []string
	for _, address := range addresses[:min(most, len(addresses))] {
		names = append(names, address.String())
	}
	if more := len(addresses) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names, ", "), more)
	}
	return strings.Join(names, ", ")
}
