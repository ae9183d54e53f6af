package speaker

import (
	"fmt"
	"strings"

	"fairlead.dev/agents/internal/bgp/message"
	"fairlead.dev/agents/internal/events"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
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

// remember keeps what say tells, however often: a report carries it all.
func (d *Driver) remember(before Stand, now Announcement) {
	if now.Unknown {
		return
	}
	at := now.Since
	if before == now.Stand {
		at = d.options.Now() // only the reason is another
	}
	d.history.Note(&agentv1.BgpTransition{
		Prefix: now.Prefix.String(), NextHop: message.Text(now.NextHop), LoadBalancerId: now.LoadBalancer,
		From: string(before), To: string(now.Stand), At: message.Moment(at), Reason: strings.ToValidUTF8(now.Why, "?"),
	})
}

// letGo remembers that a service is no longer wanted here.
func (d *Driver) letGo(one Announcement) {
	if one.Stand == Withdrawn {
		return
	}
	before := one.Stand
	one.Stand, one.Since, one.Why = Withdrawn, d.options.Now(), "It is no longer wanted here."
	d.remember(before, one)
}

// left says whether somebody wanted it.
func (d *Driver) left(one Announcement) bool {
	service, _ := d.desired.service(one.Prefix)
	return service.Leaving || d.desired.Leaving || d.ends
}
