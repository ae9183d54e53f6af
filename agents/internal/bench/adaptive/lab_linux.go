package adaptive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"fairlead.dev/agents/internal/lab/wire"
	"fairlead.dev/agents/internal/netspace"
)

// lab is four nodes with a delay between them.
type lab struct {
	mounts *mounts
	hub    *netspace.Space
	nodes  []*node
	lines  []*wire.Line
}

// newLab returns when each agent has figures of all nodes. Close it after a failure, too.
func newLab(ctx context.Context, roundTrip time.Duration) (l *lab, err error) {
	l = &lab{}
	if l.mounts, err = newMounts(); err != nil {
		return l, err
	}
	if l.hub, err = netspace.New(fmt.Sprintf("fairlead-bench-%d-hub", os.Getpid())); err != nil {
		return l, err
	}
	for index := range nodes {
		n, err := newNode(l.mounts, index)
		l.nodes = append(l.nodes, n)
		if err != nil {
			return l, fmt.Errorf("node %d: %w", index+1, err)
		}
		for _, other := range l.nodes[:index] {
			if err := l.connect(other, n, roundTrip); err != nil {
				return l, fmt.Errorf("connect node %d: %w", index+1, err)
			}
		}
	}
	if err := hurry(); err != nil {
		return l, err
	}
	for _, n := range l.nodes {
		if err := errors.Join(n.startAgent(), n.startClients()); err != nil {
			return l, fmt.Errorf("node %d: %w", n.index+1, err)
		}
	}
	return l, l.await(ctx, "figures of all nodes", (*node).isInformed)
}

// await waits until something is true of all nodes.
func (l *lab) await(ctx context.Context, what string, is func(*node) (bool, error)) error {
	ctx, stop := context.WithTimeoutCause(ctx, patience, fmt.Errorf("not within %v: %s", patience, what))
	defer stop()
	for _, n := range l.nodes {
		for {
			done, err := is(n)
			if err != nil {
				return err
			}
			if done {
				break
			}
			if err := pause(ctx, 50*time.Millisecond); err != nil {
				return fmt.Errorf("node %d: %w", n.index+1, err)
			}
		}
	}
	return nil
}

// pause waits, unless the context ends before.
func pause(ctx context.Context, wait time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(wait):
		return nil
	}
}

// Close removes everything.
func (l *lab) Close() error {
	var errs []error
	for _, n := range l.nodes {
		errs = append(errs, n.Close())
	}
	for _, line := range l.lines {
		errs = append(errs, line.Close())
	}
	if l.hub != nil {
		errs = append(errs, l.hub.Delete())
	}
	if l.mounts != nil {
		errs = append(errs, l.mounts.Close())
	}
	return errors.Join(errs...)
}
