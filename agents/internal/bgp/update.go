package bgp

import (
	"net/netip"
	"time"
)

// Step is a stage that an update passes.
type Step string

// In the order of an update. The component at each stage reports it.
const (
	Ready     Step = "ready"     // speaker: its balancer has the first backend up, or the last one down
	Caused    Step = "caused"    // speaker: the first probe result that changed
	Announced Step = "announced" // speaker: advertised to its peers, or withdrawn
	Reflected Step = "reflected" // reflector: in its table
	Learned   Step = "learned"   // router: in its BGP table
	Routed    Step = "routed"    // router: in its kernel table
	Carried   Step = "carried"   // speaker: the first packet that arrived for it, or the last
)

// Update is a step of one next hop that is added to a prefix or removed.
type Update struct {
	Prefix    netip.Prefix
	NextHop   netip.Addr
	Withdrawn bool
	Step      Step
	At        time.Time
}

// maxUpdates bounds the updates that wait for Take; the oldest are dropped.
const maxUpdates = 4000

// Updates collects updates. It belongs to one goroutine.
type Updates struct{ list []Update }

// Add appends updates. It trims the list only at twice the limit: a full table arrives as many
// updates.
func (u *Updates) Add(more ...Update) {
	u.list = append(u.list, more...)
	if len(u.list) >= 2*maxUpdates {
		u.list = append(u.list[:0], u.newest()...)
	}
}

// Len is the number that Take would return.
func (u *Updates) Len() int { return len(u.newest()) }

// Take returns and removes the newest updates.
func (u *Updates) Take() []Update {
	taken := u.newest()
	u.list = nil
	return taken
}

func (u *Updates) newest() []Update { return u.list[max(0, len(u.list)-maxUpdates):] }
