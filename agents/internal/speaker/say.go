package speaker

import (
	"fmt"

	"fairlead.dev/agents/internal/events"
)

// The words events of this role can be searched for.
const (
	Announced          = "Announced"
	NotAnnounced       = "NotAnnounced"
	AnnouncementDrains = "AnnouncementDrains"
)

// say tells how a service stands from now on. That one isn't offered yet whose first probe is
// under way is no news.
func (d *Driver) say(now Announcement) {
	event := events.Event{At: now.Since, LoadBalancer: now.LoadBalancer}
	switch {
	case now.Stand == Offered:
		event.Reason, event.Message = Announced, fmt.Sprintf("%s is announced with next hop %s.", now.Prefix, now.NextHop)
	case now.Stand == Draining:
		event.Reason, event.Message = AnnouncementDrains, fmt.Sprintf("%s: %s", now.Prefix, now.Why)
	case !now.Unknown:
		event.Reason, event.Message = NotAnnounced, fmt.Sprintf("%s: %s", now.Prefix, now.Why)
		event.Warning = !d.left(now)
	default:
		return
	}
	d.news.Say(event)
}

// left says whether somebody wanted it.
func (d *Driver) left(one Announcement) bool {
	service, _ := d.desired.service(one.Prefix)
	return service.Leaving || d.desired.Leaving || d.ends
}
