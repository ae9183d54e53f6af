package speaker

import (
	"fmt"
	"strings"

	"fairlead.dev/agents/internal/bgp/message"
	"fairlead.dev/agents/internal/events"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// Event reasons of this role.
const (
	Announced          = "Announced"
	NotAnnounced       = "NotAnnounced"
	AnnouncementDrains = "AnnouncementDrains"
)

// report reports the new state of a service. It doesn't report a service whose first probe is still
// running.
func (d *Driver) report(now Announcement) {
	event := events.Event{At: now.Since, LoadBalancer: now.LoadBalancer}
	switch {
	case now.State == Offered:
		event.Reason, event.Message = Announced, fmt.Sprintf("%s is announced with next hop %s.", now.Prefix, now.NextHop)
	case now.State == Draining:
		event.Reason, event.Message = AnnouncementDrains, fmt.Sprintf("%s: %s", now.Prefix, now.Why)
	case !now.Unknown:
		event.Reason, event.Message = NotAnnounced, fmt.Sprintf("%s: %s", now.Prefix, now.Why)
		event.Warning = !d.wasRemoved(now)
	default:
		return
	}
	d.news.Record(event)
}

// recordTransition records every change for the report.
func (d *Driver) recordTransition(before State, now Announcement) {
	if now.Unknown {
		return
	}
	at := now.Since
	if before == now.State {
		at = d.options.Now() // only the reason changed
	}
	d.history.Add(&agentv1.BgpTransition{
		Prefix: now.Prefix.String(), NextHop: message.Text(now.NextHop), LoadBalancerId: now.LoadBalancer,
		From: string(before), To: string(now.State), At: message.Timestamp(at), Reason: strings.ToValidUTF8(now.Why, "?"),
	})
}

// recordRemoval records that a service was removed from this replica.
func (d *Driver) recordRemoval(one Announcement) {
	if one.State == Withdrawn {
		return
	}
	before := one.State
	one.State, one.Since, one.Why = Withdrawn, d.options.Now(), "The service was removed from this replica."
	d.recordTransition(before, one)
}

// wasRemoved reports whether the service was removed.
func (d *Driver) wasRemoved(one Announcement) bool {
	service, _ := d.desired.service(one.Prefix)
	return service.Leaving || d.desired.Leaving || d.ends
}
