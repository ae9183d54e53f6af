package proxied

// Counts are hellos, by what names their session, and first data that is no hello.
type Counts struct {
	ByKey, ByTicket, ByID      Outcomes
	WithoutSession, Unreadable uint64
}

// Outcomes are what became of hellos that name a session.
type Outcomes struct {
	Home    uint64 // at the backend of the session
	Gone    uint64 // that backend is known, but is gone or takes nothing
	Unknown uint64
}

func (o *Outcomes) lose(known bool) {
	if known {
		o.Gone++
	} else {
		o.Unknown++
	}
}
