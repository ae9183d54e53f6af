package balancer

import (
	"log/slog"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/flows"
)

const (
	// holdFor is how long first packets are held without a renewal: when the agent is
	// killed they are dropped, so that their clients retry elsewhere, but only for a
	// limited time.
	holdFor   = 2 * time.Second
	holdEvery = 100 * time.Millisecond

	// firstMost is how many first packets may be held between two renewals. More than
	// these are a flood, which must not be sent to peers.
	firstMost = 1000
)

// RelayFirst holds first packets until the peers have their flows, as long as any peer is
// subscribed.
func RelayFirst(holder datapath.Holder, exchange *flows.Exchange, stop <-chan struct{}, log *slog.Logger) {
	every := time.NewTicker(holdEvery)
	defer every.Stop()
	logged := ""
	hold := func(span time.Duration) {
		if err := holder.Hold(span); err != nil && err.Error() != logged {
			logged = err.Error()
			log.Warn("first packets are not held until other replicas know them; connections may break when this one is killed", "err", err)
		}
	}
	defer hold(0)
	for count := 0; ; {
		select {
		case <-stop:
			return
		case <-every.C:
			count = 0
			if exchange.HasSubscribers() {
				hold(holdFor)
			} else {
				hold(0)
			}
		case first, more := <-holder.Held():
			if !more {
				return
			}
			if count++; count == firstMost {
				hold(0)
			}
			exchange.SendAcked(first.Flow, func() {
				if err := first.Release(); err != nil {
					log.Warn("a first packet is lost, and its client has to try again", "err", err)
				}
			})
		}
	}
}
