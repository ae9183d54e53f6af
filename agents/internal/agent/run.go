package agent

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

const (
	// ResyncEvery is the interval at which the config is applied again without a change, which
	// repairs manual changes.
	ResyncEvery = 30 * time.Second

	// setTimeout limits one Set. On a busy host the first one, which tests engines, takes most of a
	// minute; with a shorter limit it would start over each time and never finish.
	setTimeout = 2 * time.Minute

	// driverTimeout limits all other calls of a driver.
	driverTimeout = 30 * time.Second

	// leaveTimeout is the default limit of leaving, because the service manager won't wait forever.
	leaveTimeout = 2 * time.Minute

	// lastReportTimeout limits the wait for the acknowledgement of the last report.
	lastReportTimeout = 2 * time.Second
)

// Options are the settings that every role needs.
type Options struct {
	Link        Link
	StateFolder string
	StateKey    string       // file with the key of the last good config; empty: one of its own in StateFolder
	Log         *slog.Logger // with the keys node and role
}

// Run keeps the host equal to the newest config and reports its state, until ctx ends. It starts
// with the last good config, before it connects.
func Run[Desired, Observed any](ctx context.Context, options Options, role Role[Desired, Observed]) error {
	l := newLoop(options, role)
	l.startFromLastGood(ctx)

	linkContext, unlink := context.WithCancel(context.WithoutCancel(ctx)) // leaving is reported too
	linkEnded := make(chan struct{})
	var linkErr error
	from := l.wanted.GetRevision() // before the goroutine: wanted belongs to this one
	go func() {
		defer close(linkEnded)
		linkErr = options.Link.Run(linkContext, from)
	}()

	l.run(ctx, linkEnded, never)
	l.leave(ctx, linkEnded)
	l.reporting.stop()
	l.saver.close()
	unlink()
	<-linkEnded
	if ctx.Err() != nil {
		linkErr = nil // it ended because ctx ended
	}
	return errors.Join(linkErr, role.Driver.Close())
}

func never() bool { return false }

// leave lets the role withdraw. Until then the loop continues, because services on this host may
// need changes. An agent whose link failed permanently doesn't leave: it is to be restarted.
func (l *loop[Desired, Observed]) leave(ctx context.Context, linkEnded <-chan struct{}) {
	if l.role.Leave == nil || ctx.Err() == nil || !l.running {
		return
	}
	most := leaveTimeout
	if l.role.LeaveMost != nil {
		most = l.role.LeaveMost(l.desired)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), most)
	defer cancel()
	l.options.Log.Info("leaving", "most", most)
	l.run(ctx, linkEnded, func() bool {
		left, err := l.role.Leave(ctx)
		if err != nil {
			l.options.Log.Error("the role could not leave cleanly", "err", err)
		}
		return left || err != nil
	})
	if ctx.Err() != nil {
		l.options.Log.Warn("the time limit for leaving was reached", "most", most)
	}
	l.report(context.WithoutCancel(ctx))
	l.deliverLastReport()
}

// deliverLastReport waits until the control plane has acknowledged the last report, before the link
// is closed.
func (l *loop[Desired, Observed]) deliverLastReport() {
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for end := time.Now().Add(lastReportTimeout); l.options.Link.Waiting() > 0 && time.Now().Before(end); {
		<-look.C
	}
}

// run loops until ctx or the link ends, or over returns true, which is checked after each event.
func (l *loop[Desired, Observed]) run(ctx context.Context, linkEnded <-chan struct{}, over func() bool) {
	resync := time.NewTicker(ResyncEvery)
	defer resync.Stop()

	for !over() {
		select {
		case <-ctx.Done():
			return
		case <-linkEnded:
			return
		case config := <-l.options.Link.Configs():
			l.receive(ctx, config)
		case <-l.role.Wake: // never, if the role has none
			if l.woken(ctx) {
				l.reporting.soon(time.Now())
			}
		case <-l.role.Stale: // never, if the role has none
			l.apply(ctx)
			l.reporting.soon(time.Now())
		case <-resync.C:
			l.apply(ctx)
			l.saver.again()
		case <-l.reporting.due():
			l.report(ctx)
			l.reporting.done(time.Now())
		}
	}
}
