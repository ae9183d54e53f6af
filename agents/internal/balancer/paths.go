package balancer

import (
	"fmt"
	"time"

	"fairlead.dev/agents/internal/balancer/netwatch"
	"fairlead.dev/agents/internal/events"
)

// A host may get thousands of routes in a second, and each may be the one that a backend
// lacks. So after one Set the next one waits, for longer than the Set took.
const (
	repeatPause = 500 * time.Millisecond
	repeatPart  = 10 // Sets because of routes take at most one part in so many of the loop's time
)

// watchPaths makes the loop read the network again when the interface changes, and when
// routes change that may cure a failure. Without it, that waits for the next Set.
// A watch that failed is started again.
func (d *Driver) watchPaths() {
	if d.watch != nil && d.watch.Err() != nil {
		d.news.Record(events.Event{Reason: EngineFailed, Warning: true, Message: fmt.Sprintf("The watch for changes of the network failed and is started again: %v.", d.watch.Err())})
		d.unwatch()
	}
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
	switch {
	case change.Interface:
		d.pathsStale.Store(true)
	case d.ofRoutes.Load(): // local routes too: they make an address this host's own
		d.routesStale.Store(true)
	default:
		return
	}
	d.stir()
}

// readsNetwork reports whether the network has to be read again now, and whether only
// routes have changed.
func (d *Driver) readsNetwork(now time.Time) (reads, onlyRoutes bool) {
	if d.pathsStale.Swap(false) {
		d.routesStale.Store(false)
		return true, false
	}
	reads = !now.Before(d.routesNext) && d.routesStale.Swap(false) && d.ofRoutes.Load()
	return reads, reads
}

// spaceRepeats delays the next Set because of routes, and wakes the loop then.
func (d *Driver) spaceRepeats(began, ended time.Time) {
	pause := max(repeatPause, repeatPart*ended.Sub(began))
	d.routesNext = ended.Add(pause)
	if d.ofRoutes.Load() {
		time.AfterFunc(pause, d.stir)
	}
}

func (d *Driver) unwatch() {
	if d.watch != nil {
		_ = d.watch.Close() // it never fails
		d.watch = nil
	}
}
