package balancer

import (
	"log/slog"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/flows"
)

const (
	// holdFor is how long first packets may wait without word from us: they are lost
	// when we are killed, so that their clients try again elsewhere, but not for ever.
	holdFor   = 2 * time.Second
	holdEvery = 100 * time.Millisecond

	// firstMost is how many first packets may wait between two words. More than
	// these are a flood, which peers had better not hear of.
	firstMost = 1000
)

// RelayFirst lets first packets wait until the peers know where their connections
// go, as long as there is a peer to know it.
func RelayFirst(holder datapath.Holder, exchange *flows.Exchange, stop <-chan struct{}, log *slog.Logger) {
	every := time.NewTicker(holdEvery)
	defer every.Stop()
	said := ""
	hold := func(span time.Duration) {
		if err := holder.Hold(span); err != nil && err.Error() != said {
			said = err.Error()
			log.Warn("first packets don't wait for other replicas to know them; connections may break when this one is killed", "err", err)
		}
	}
	defer hold(0)
	for count := 0; ; {
		select {
		case <-stop:
			return
		case <-every.C:
			count = 0
			if exchange.Listened() {
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
			exchange.TellFirst(first.Flow, func() {
				if err := first.Release(); err != nil {
					log.Warn("a first packet is lost, and its client has to try again", "err", err)
				}
			})
		}
	}
}
