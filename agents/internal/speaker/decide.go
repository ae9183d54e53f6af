package speaker

import (
	"fmt"
	"slices"
	"time"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/health"
)

// State is the announcement state of a service.
type State string

// Announcement states.
const (
	Offered   State = "offered"
	Draining  State = "draining" // advertised as the last resort
	Withdrawn State = "withdrawn"
)

// observations is the input of the decision about one service.
type observations struct {
	now     time.Time
	states  []health.State // of its probes
	leaving time.Time      // since when it is leaving; zero if it isn't
	live    int            // connections while it is leaving
	counted time.Time      // when live was counted; zero if never
}

// decide returns the announcement state of a service, and the reason if it is not fully advertised.
func decide(s observations, drainFor time.Duration) (State, string) {
	works, why := answers(s.states)
	switch {
	case !works && !s.leaving.IsZero():
		return Withdrawn, "Leaving: " + why + "."
	case !works:
		return Withdrawn, "Not announced: " + why + "."
	case s.leaving.IsZero():
		return Offered, ""
	case s.live == 0 && s.counted.Sub(s.leaving) >= reactWithin:
		return Withdrawn, "Leaving: all connections have ended."
	case s.now.Sub(s.leaving) >= drainFor:
		return Withdrawn, fmt.Sprintf("Leaving: the drain time of %s is over.", drainFor)
	case !s.counted.IsZero():
		return Draining, fmt.Sprintf("Leaving: routers prefer any other replica; %d connections are left.", s.live)
	}
	return Draining, "Leaving: routers prefer any other replica."
}

// reactWithin is how long routers may need to prefer other replicas: until then, new connections
// may still arrive although none is open.
const reactWithin = time.Second

// answers reports whether one of the probes succeeds, or why none does.
func answers(states []health.State) (bool, string) {
	if slices.ContainsFunc(states, func(s health.State) bool { return s.Health == health.Up }) {
		return true, ""
	}
	for _, state := range states {
		if state.Health == health.Down {
			return false, fmt.Sprintf("the probe has been failing since %s (%s)", state.Since.UTC().Format(time.TimeOnly+" UTC"), state.Message)
		}
	}
	return false, "no probe has succeeded yet"
}

// unknown reports whether no probe has a result yet.
func unknown(states []health.State) bool {
	return !slices.ContainsFunc(states, func(s health.State) bool { return s.Health == health.Up || s.Health == health.Down })
}

// offerOf returns the route to advertise, if any.
func offerOf(service Service, state State) (bgp.Offer, bool) {
	offer := service.Offer
	switch state {
	case Offered:
		return offer, true
	case Draining:
		offer.Preference = bgp.Drained
		offer.Communities = append(slices.Clone(offer.Communities), bgp.GracefulShutdown)
		return offer, true
	}
	return offer, false
}
