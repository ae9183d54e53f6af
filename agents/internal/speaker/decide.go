package speaker

import (
	"fmt"
	"slices"
	"time"

	"fairlead.dev/agents/internal/balancer/health"
	"fairlead.dev/agents/internal/bgp"
)

// Stand is how a service stands with routers.
type Stand string

// The stands.
const (
	Offered   Stand = "offered"
	Draining  Stand = "draining" // offered as the last resort
	Withdrawn Stand = "withdrawn"
)

// seen is what is known when it is decided about one service.
type seen struct {
	now     time.Time
	states  []health.State // of its probes
	leaving time.Time      // since when it is to leave; zero if it isn't
	live    int            // connections, when it leaves
	counted time.Time      // when; zero if they never were
}

// decide says how a service should stand, and why not better, as a sentence.
func decide(s seen, drainFor time.Duration) (Stand, string) {
	works, why := answers(s.states)
	switch {
	case !works && !s.leaving.IsZero():
		return Withdrawn, "It leaves, and " + why + "."
	case !works:
		return Withdrawn, "Not announced: " + why + "."
	case s.leaving.IsZero():
		return Offered, ""
	case s.live == 0 && s.counted.Sub(s.leaving) >= heardWithin:
		return Withdrawn, "It leaves, and nobody is connected any more."
	case s.now.Sub(s.leaving) >= drainFor:
		return Withdrawn, fmt.Sprintf("It leaves, and had %s for connections to end.", drainFor)
	case !s.counted.IsZero():
		return Draining, fmt.Sprintf("It leaves: routers prefer any other replica, and %d connections are left.", s.live)
	}
	return Draining, "It leaves: routers prefer any other replica."
}

// heardWithin is how long routers may take to prefer others: until then, that nobody is
// connected says nothing of who is on the way.
const heardWithin = time.Second

// answers says whether one of the probes is answered, else why none is.
func answers(states []health.State) (bool, string) {
	if slices.ContainsFunc(states, func(s health.State) bool { return s.Health == health.Up }) {
		return true, ""
	}
	for _, state := range states {
		if state.Health == health.Down {
			return false, fmt.Sprintf("the probe has been failing since %s (%s)", state.Since.UTC().Format(time.TimeOnly+" UTC"), state.Message)
		}
	}
	return false, "no probe has been answered yet"
}

// unknown says whether nobody knows yet whether it works.
func unknown(states []health.State) bool {
	return !slices.ContainsFunc(states, func(s health.State) bool { return s.Health == health.Up || s.Health == health.Down })
}

// offerOf is what routers are told, if anything.
func offerOf(service Service, stand Stand) (bgp.Offer, bool) {
	offer := service.Offer
	switch stand {
	case Offered:
		return offer, true
	case Draining:
		offer.Preference = bgp.Drained
		offer.Communities = append(slices.Clone(offer.Communities), bgp.GracefulShutdown)
		return offer, true
	}
	return offer, false
}
