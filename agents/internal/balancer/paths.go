package balancer

import (
	"fmt"

	"fairlead.dev/agents/internal/balancer/netwatch"
	"fairlead.dev/agents/internal/events"
)

// watchPaths makes the loop read the network again when the interface changes, and when
// routes change while something could not be set. Without it, that waits for the next Set.
func (d *Driver) watchPaths() {
	if d.watch != nil || d.options.Watch == nil {
		return
	}
	watch, err := d.options.Watch(d.options.Engine.Interface, d.pathsChanged)
	if err != nil {
		message := fmt.Sprintf("Changes of the network are noticed only when the data path is set again: %v.", err)
		if !d.blind {
			d.news.Record(events.Event{Reason: EngineFailed, Warning: true, Message: message})
		}
		d.blind = true
		return
	}
	d.watch, d.blind = watch, false
}

// pathsChanged is called by the watch.
func (d *Driver) pathsChanged(change netwatch.Change) {
	if change.Interface || d.hasFailures.Load() {
		d.pathsStale.Store(true)
		d.stir()
	}
}

func (d *Driver) unwatch() {
	if d.watch != nil {
		_ = d.watch.Close() // it never fails
		d.watch = nil
	}
}
