package reflector

import (
	"context"
	"log/slog"
	"time"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/message"
	"fairlead.dev/agents/internal/bgp/tcpdrops"
	"fairlead.dev/agents/internal/events"
)

// Desired is the complete state of one reflector.
type Desired struct {
	On  bool
	BGP bgp.Desired
}

// Observed is the state of a reflector.
type Observed struct {
	On       bool
	Sessions []bgp.Session
}

// Driver runs the reflector. All methods but Wake belong to the agent's loop.
type Driver struct {
	engine   bgp.Engine
	listener *bgp.Listener
	news     events.Events
	updates  bgp.Updates
	history  message.History
	doubts   message.SessionMonitor
	desired  Desired
}

var _ agent.Driver[Desired, Observed] = (*Driver)(nil)

// NewDriver returns a driver that is off until the first Set.
func NewDriver(engine bgp.Engine, log *slog.Logger) *Driver {
	return &Driver{engine: engine, listener: bgp.Listen(engine), news: events.Events{Log: log}, doubts: message.SessionMonitor{Dropped: tcpdrops.Read}}
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

// Woken only reports changes: the engine itself reflects routes.
func (d *Driver) Woken(context.Context) (news bool, err error) {
	changes := d.engine.Take()
	message.Record(&d.news, changes)
	d.history.Sessions(changes.Sessions)
	for _, update := range changes.Updates {
		if update.NextHop.IsValid() {
			update.Step = bgp.Reflected
			d.updates.Add(update)
		}
	}
	return d.news.Waiting()+d.updates.Len()+d.history.Len() > 0, nil
}

// Observe implements agent.Driver.
func (d *Driver) Observe(ctx context.Context) (observed Observed, err error) {
	if !d.desired.On {
		return observed, nil
	}
	observed.On = true
	if observed.Sessions, err = d.engine.Sessions(ctx); err == nil {
		d.doubts.Check(&d.news, observed.Sessions, time.Now())
	}
	return observed, err
}

// Close implements agent.Driver.
func (d *Driver) Close() error {
	d.listener.Close()
	return d.engine.Close()
}
