package reflector

import (
	"context"
	"log/slog"
	"time"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/message"
	"fairlead.dev/agents/internal/bgp/unheard"
	"fairlead.dev/agents/internal/events"
)

// Desired is what one reflector should do.
type Desired struct {
	On  bool
	BGP bgp.Desired
}

// Observed is what a reflector does.
type Observed struct {
	On       bool
	Sessions []bgp.Session
}

// Driver reflects. All but Wake belongs to the agent's loop.
type Driver struct {
	engine   bgp.Engine
	listener *bgp.Listener
	news     events.Events
	updates  bgp.Updates
	history  message.History
	doubts   message.Doubts
	desired  Desired
}

var _ agent.Driver[Desired, Observed] = (*Driver)(nil)

// NewDriver returns a driver that is off until the first Set.
func NewDriver(engine bgp.Engine, log *slog.Logger) *Driver {
	return &Driver{engine: engine, listener: bgp.Listen(engine), news: events.Events{Log: log}, doubts: message.Doubts{Dropped: unheard.Read}}
}

// Wake is readable when Woken should be called.
func (d *Driver) Wake() <-chan struct{} { return d.listener.Wake() }

// Set implements agent.Driver.
func (d *Driver) Set(ctx context.Context, desired Desired) (changes int, err error) {
	if desired.On {
		if changes, err = d.engine.Set(ctx, desired.BGP); err == nil {
			d.desired = desired
		}
		return changes, err
	}
	if !d.desired.On {
		return 0, nil
	}
	d.desired = desired
	return 1, d.engine.Close()
}

// Woken only tells: what is passed on is the engine's affair.
func (d *Driver) Woken(context.Context) (news bool, err error) {
	changes := d.engine.Take()
	message.Say(&d.news, changes)
	d.history.Sessions(changes.Sessions)
	for _, update := range changes.Updates {
		if update.NextHop.IsValid() {
			update.Step = bgp.Reflected
			d.updates.Note(update)
		}
	}
	return d.news.Waiting()+d.updates.Waiting()+d.history.Waiting() > 0, nil
}

// Observe implements agent.Driver.
func (d *Driver) Observe(ctx context.Context) (observed Observed, err error) {
	if !d.desired.On {
		return observed, nil
	}
	observed.On = true
	if observed.Sessions, err = d.engine.Sessions(ctx); err == nil {
		d.doubts.Look(&d.news, observed.Sessions, time.Now())
	}
	return observed, err
}

// Close implements agent.Driver.
func (d *Driver) Close() error {
	d.listener.Close()
	return d.engine.Close()
}
