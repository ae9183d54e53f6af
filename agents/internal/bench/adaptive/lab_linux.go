package adaptive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"fairlead.dev/agents/internal/netspace"
)

// lab is four nodes with a delay between them.
type lab struct {
	mounts *mounts
	hub    *netspace.Space
	nodes  []*node
	lines  *process
}

// newLab returns when each agent has figures of all nodes. Close it after a failure, too.
func newLab(ctx context.Context, roundTrip time.Duration) (l *lab, err error) {
	l, err = newNodes(roundTrip)
	if err == nil {
		err = l.startAgents(ctx)
	}
	return l, err
}

// newNodes is a lab without agents. Close it after a failure, too.
func newNodes(roundTrip time.Duration) (l *lab, err error) {
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
	}
	if err := l.connect(roundTrip); err != nil {
		return l, err
	}
	for _, n := range l.nodes {
		if err := n.startClients(); err != nil {
			return l, fmt.Errorf("node %d: %w", n.index+1, err)
		}
	}
	return l, nil
}

func (l *lab) startAgents(ctx context.Context) error {
	for _, n := range l.nodes {
		if err := n.startAgent(); err != nil {
			return fmt.Errorf("node %d: %w", n.index+1, err)
		}
	}
	return l.await(ctx, "figures of all nodes", (*node).isInformed)
}

// restartAgents makes agents forget how long requests take.
func (l *lab) restartAgents(ctx context.Context) error {
	for _, n := range l.nodes {
		p := n.agent
		n.agent = nil
		if err := p.stop(); err != nil {
			return fmt.Errorf("node %d: %w", n.index+1, err)
		}
	}
	return l.startAgents(ctx)
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
	if l.lines != nil {
		errs = append(errs, l.lines.stop())
	}
	if l.hub != nil {
		errs = append(errs, l.hub.Delete())
	}
	if l.mounts != nil {
		errs = append(errs, l.mounts.Close())
	}
	return errors.Join(errs...)
}
