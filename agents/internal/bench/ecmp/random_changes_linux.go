package ecmp

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// pauseMost is the longest pause of a speaker between two changes.
const pauseMost = 500 * time.Millisecond

// followMost is how long a kernel may take to follow; the pass criteria are much lower.
const followMost = 15 * time.Second

// randomChanges adds and withdraws each speaker's route at random and independently, so that changes overlap.
func (s *site) randomChanges(ctx context.Context, changes int, print func(what string, took time.Duration)) (astray int, err error) {
	before := s.kernel.changes()
	var left atomic.Int64
	left.Store(int64(changes))
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var running sync.WaitGroup
	for _, one := range s.speakers[1:] {
		running.Go(func() {
			leaving := false
			for ctx.Err() == nil && left.Add(-1) >= 0 {
				leaving = !leaving
				if err := s.changeOne(ctx, one, leaving, print); err != nil {
					stop(err)
					return
				}
			}
		})
	}
	running.Wait()
	if err := context.Cause(ctx); err != nil {
		return 0, err
	}
	return s.kernel.changes() - before - changes, s.restartAll(ctx)
}

// changeOne applies one change. Its time is the one the speaker reports.
func (s *site) changeOne(ctx context.Context, one *speaker, leaving bool, print func(string, time.Duration)) error {
	if err := pause(ctx, rand.N(pauseMost)); err != nil {
		return err
	}
	written, err := one.order(leaving, false)
	if err != nil {
		return err
	}
	followed, err := s.kernel.await(ctx, one.way, !leaving, followMost)
	if err != nil {
		return err
	}
	since, err := one.since(ctx, leaving, written)
	if err != nil {
		return err
	}
	what := Announced
	if leaving {
		what = Withdrawn
	}
	print(what, followed.Sub(since))
	print(Written, followed.Sub(written))
	return nil
}

// since is when a speaker decided a change ordered after the given time.
func (s *speaker) since(ctx context.Context, leaving bool, written time.Time) (since time.Time, err error) {
	state := map[bool]string{true: "withdrawn", false: "offered"}[leaving]
	_, err = s.await(ctx, state+" in the report", startMost, func(report *agentv1.ReportRequest) bool {
		for _, one := range report.GetBgp().GetAnnouncements() {
			since = one.GetSince().AsTime()
			return one.GetState() == state && !since.Before(written)
		}
		return false
	})
	return since, err
}

// restartAll restarts all members.
func (s *site) restartAll(ctx context.Context) error {
	var errs []error
	for _, one := range s.speakers {
		_, err := one.order(false, false)
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("bring the speakers back: %w", err)
	}
	return s.awaitAll(ctx)
}
