package replica

import "fairlead.dev/agents/internal/balancer/datapath"

// Counts are what the program did since it was loaded.
type Counts struct {
	SYNs, BareACKs, ByKey, ByTicket, ByID, New, Parts, Hinted, Questions, OverLimit, Resets, Unanswered uint64

	Services map[datapath.Key]ServiceCounts
}

// ServiceCounts are those of one service, since it was set.
type ServiceCounts struct {
	SYNs, Questions            uint64
	ByKey, ByTicket, ByID      Outcomes // hellos, by what names their session: once each, in however many packets they come
	WithoutSession, Unreadable uint64   // hellos of new sessions, and first data that is no hello
	Searched                   Searched // hellos with an unknown session id
	Held                       uint64   // hellos that wait for their other parts or for companions now
}

// Outcomes are what became of hellos that name a session.
type Outcomes struct {
	Home    uint64 // at the backend of the session
	Gone    uint64 // that backend is known, but is gone or takes nothing
	Unknown uint64
}

// Searched are hellos whose session id was searched at companions.
type Searched struct {
	Found      uint64
	Absent     uint64 // all companions lack it
	Unanswered uint64 // those that answered lack it
}

// Since returns the increase since an earlier moment. Counts of a service that was set again begin
// at 0.
func (c ServiceCounts) Since(before ServiceCounts) ServiceCounts {
	c.Searched = c.Searched.since(before.Searched)
	if c.sum() < before.sum() {
		before = ServiceCounts{}
	}
	c.SYNs -= before.SYNs
	c.Questions -= before.Questions
	c.ByKey = c.ByKey.since(before.ByKey)
	c.ByTicket = c.ByTicket.since(before.ByTicket)
	c.ByID = c.ByID.since(before.ByID)
	c.WithoutSession -= before.WithoutSession
	c.Unreadable -= before.Unreadable
	return c
}

// Add returns the sum of two services.
func (c ServiceCounts) Add(other ServiceCounts) ServiceCounts {
	c.SYNs += other.SYNs
	c.Questions += other.Questions
	c.ByKey = c.ByKey.add(other.ByKey)
	c.ByTicket = c.ByTicket.add(other.ByTicket)
	c.ByID = c.ByID.add(other.ByID)
	c.WithoutSession += other.WithoutSession
	c.Unreadable += other.Unreadable
	c.Searched = c.Searched.add(other.Searched)
	c.Held += other.Held
	return c
}

// sum counts everything that the program counts and only increases.
func (c ServiceCounts) sum() uint64 {
	return c.SYNs + c.Questions + c.ByKey.sum() + c.ByTicket.sum() + c.ByID.sum() + c.WithoutSession + c.Unreadable
}

func (s Searched) sum() uint64 { return s.Found + s.Absent + s.Unanswered }

func (s Searched) add(other Searched) Searched {
	return Searched{s.Found + other.Found, s.Absent + other.Absent, s.Unanswered + other.Unanswered}
}

func (s Searched) since(before Searched) Searched {
	if s.sum() < before.sum() {
		return s
	}
	return Searched{s.Found - before.Found, s.Absent - before.Absent, s.Unanswered - before.Unanswered}
}

func (o Outcomes) sum() uint64 { return o.Home + o.Gone + o.Unknown }

func (o Outcomes) add(other Outcomes) Outcomes {
	return Outcomes{o.Home + other.Home, o.Gone + other.Gone, o.Unknown + other.Unknown}
}

func (o Outcomes) since(before Outcomes) Outcomes {
	return Outcomes{o.Home - before.Home, o.Gone - before.Gone, o.Unknown - before.Unknown}
}
