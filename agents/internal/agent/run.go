package agent

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

const (
	// ResyncEvery is how often the host is made to match again although
	// nothing changed: what was damaged by hand stays so no longer.
	ResyncEvery = 30 * time.Second

	// setTimeout bounds one Set. On a host with much else to do the first one, which tries engines out, takes most of a
	// minute; given up before its end it would begin anew, and never come to one.
	setTimeout = 2 * time.Minute

	// driverTimeout bounds everything else that is asked of a driver.
	driverTimeout = 30 * time.Second

	// leaveTimeout bounds leaving, for a role that says nothing else: whoever asked the
	// process to end won't wait for ever.
	leaveTimeout = 2 * time.Minute

	// lastWordTimeout bounds the wait for an answer to what is reported then.
	lastWordTimeout = 2 * time.Second
)

// Options are what every role needs.
type Options struct {
	Link        Link
	StateFolder string
	Log         *slog.Logger // carries the keys node and role
}

// Run keeps the host equal to the newest config and says what it sees, until
// ctx ends. It starts from the last good config, before it hears from anyone.
func Run[Desired, Observed any](ctx context.Context, options Options, role Role[Desired, Observed]) error {
	l := newLoop(options, role)
	l.startFromLastGood(ctx)

	linkContext, unlink := context.WithCancel(context.WithoutCancel(ctx)) // how the host is left is told too
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
		linkErr = nil // it ended because we were asked to
	}
	return errors.Join(linkErr, role.Driver.Close())
}

func never() bool { return false }

// leave ends in good order. Until then all goes on: what lives on this host may need what
// changes elsewhere. An agent whose link ended by itself leaves nothing: it is to come back.
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
			l.options.Log.Error("the host could not be left in good order", "err", err)
		}
		return left || err != nil
	})
	if ctx.Err() != nil {
		l.options.Log.Warn("the time to leave was over before all had ended", "most", most)
	}
	l.report(context.WithoutCancel(ctx))
	l.deliverLastWord()
}

// deliverLastWord waits for the control plane to hear how the host was left: once the link
// is gone, nobody does.
func (l *loop[Desired, Observed]) deliverLastWord() {
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for end := time.Now().Add(lastWordTimeout); l.options.Link.Waiting() > 0 && time.Now().Before(end); {
		<-look.C
	}
}

// run goes on until ctx or the link ends, or it is over, which is asked whenever something was done.
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
		case <-l.role.Wake: // never, when the role has none
			if l.woken(ctx) {
				l.reporting.soon(time.Now())
			}
		case <-l.role.Stale: // never, when the role has none
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
