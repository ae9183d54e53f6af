package bpf

import (
	"context"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// Misplaced delivers flows that another replica would send elsewhere.
func (e *Engine) Misplaced() <-chan datapath.Flow { return e.exchange.Misplaced() }

// MisplacedNow returns all live misplaced flows.
func (e *Engine) MisplacedNow(ctx context.Context) ([]datapath.Flow, error) {
	return e.walker.Misplaced(ctx, e.done)
}

// Learn implements datapath.FlowKeeper.
func (e *Engine) Learn(flows []datapath.Flow) (unknown []datapath.Flow, err error) {
	return e.exchange.Learn(flows)
}

// LearntNow returns learnt flows that are not over.
func (e *Engine) LearntNow(ctx context.Context) ([]datapath.Flow, error) {
	return e.exchange.LearntNow(ctx)
}

// Hold holds first packets from now on, for span unless it is called again.
func (e *Engine) Hold(span time.Duration) error { return e.first.Hold(span) }

// Held delivers held first packets.
func (e *Engine) Held() <-chan datapath.Held { return e.first.Held }

// Steering returns the table of connections that are placed one by one.
func (e *Engine) Steering() datapath.Steering { return e.steering }

// rest pauses, so that a lasting error doesn't use a whole CPU, and reports whether to
// continue.
func (e *Engine) rest() bool {
	select {
	case <-e.done:
		return false
	case <-time.After(100 * time.Millisecond):
		return true
	}
}
