package bgp

import (
	"net/netip"
	"time"
)

// Step is a place on the way of an update.
type Step string

// In the order in which an update takes them; each is told by the one who takes it.
const (
	Ready     Step = "ready"     // at the speaker, of its balancer: a backend is up, or the last one isn't any more
	Caused    Step = "caused"    // at the speaker: the first answer of its probe that was another
	Announced Step = "announced" // at the speaker: its peers are told, also of a withdrawal
	Reflected Step = "reflected" // the table of a reflector has it
	Learned   Step = "learned"   // the table of a router has it
	Routed    Step = "routed"    // the kernel of a router has it
	Carried   Step = "carried"   // at the speaker: the first packet that came for it, or the last
)

// Update is a step of one next hop that comes to a prefix, or goes.
type Update struct {
	Prefix    netip.Prefix
	NextHop   netip.Addr
	Withdrawn bool
	Step      Step
	At        time.Time
}

// updatesMost wait for whoever takes them; of more, the oldest are forgotten.
const updatesMost = 4000

// Updates collects them. They belong to one goroutine.
type Updates struct{ list []Update }

// Note takes some in. It moves what it has seldom: a table that comes whole is many.
func (u *Updates) Note(more ...Update) {
	u.list = append(u.list, more...)
	if len(u.list) >= 2*updatesMost {
		u.list = append(u.list[:0], u.newest()...)
	}
}

// Waiting is how many Take would hand over.
func (u *Updates) Waiting() int { return len(u.newest()) }

// Take hands them over.
func (u *Updates) Take() []Update {
	taken := u.newest()
	u.list = nil
	return taken
}

func (u *Updates) newest() []Update { return u.list[max(0, len(u.list)-updatesMost):] }
