package ecmp

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"syscall"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// settleFor is how long sessions and BFD are left alone before the next fault.
const settleFor = 500 * time.Millisecond

// faults fails all speakers but the first, one after the other, wave after wave. They restart together while
// nothing is measured, because a starting process slows others down.
func (s *site) faults(ctx context.Context, count int, fault fault, print func(took time.Duration)) error {
	for count > 0 {
		if err := s.settled(ctx, fault.detected); err != nil {
			return fmt.Errorf("wait for the speakers: %w", err)
		}
		wave := s.speakers[1:]
		wave = wave[:min(count, len(wave))]
		for _, one := range wave {
			if err := pause(ctx, settleFor+rand.N(settleFor)); err != nil {
				return err
			}
			began := time.Now()
			if err := fault.fail(one); err != nil {
				return err
			}
			gone, err := s.kernel.await(ctx, one.way, false, followMost)
			if err != nil {
				return err
			}
			print(gone.Sub(began))
		}
		count -= len(wave)
		for _, one := range wave {
			if err := fault.mend(one); err != nil {
				return fmt.Errorf("bring %s back: %w", one.name, err)
			}
		}
	}
	return nil
}

// fault ends a speaker's routes, and can be undone.
type fault struct {
	fail, mend func(*speaker) error
	detected   bool // by BFD
}

var (
	killed = fault{kill, revive, false}
	held   = fault{freeze, thaw, false}
	frozen = fault{freeze, thaw, true}
)

func kill(one *speaker) error   { return one.process.signal(syscall.SIGKILL) }
func freeze(one *speaker) error { return one.process.signal(syscall.SIGSTOP) }
func thaw(one *speaker) error   { return one.process.signal(syscall.SIGCONT) }

func revive(one *speaker) error {
	one.end()
	return one.start()
}

// detect enables BFD on all sessions.
func (s *site) detect() error {
	var errs []error
	for _, reflector := range s.reflectors {
		_, err := reflector.configure(reflecting(s.router.address, true))
		errs = append(errs, err)
	}
	for _, one := range s.speakers {
		_, err := one.order(false, true)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// settled waits until every speaker is announced again over all sessions and, if requested, BFD is up at both
// ends.
func (s *site) settled(ctx context.Context, detects bool) error {
	if err := s.awaitAll(ctx); err != nil {
		return err
	}
	now := time.Now()
	up := func(least int) func(*agentv1.ReportRequest) bool {
		return func(report *agentv1.ReportRequest) bool {
			good := 0
			for _, session := range report.GetBgp().GetSessions() {
				watched := session.GetDetection() == "up" || !detects || session.GetPeer() == s.router.address.String()
				if session.GetState() == "established" && watched {
					good++
				}
			}
			return report.GetAt().AsTime().After(now) && good >= least
		}
	}
	for _, one := range s.speakers {
		if _, err := one.await(ctx, "sessions", startMost, up(reflectorCount)); err != nil {
			return err
		}
	}
	for _, reflector := range s.reflectors {
		if _, err := reflector.await(ctx, "sessions", startMost, up(speakerCount+1)); err != nil {
			return err
		}
	}
	return s.awaitAll(ctx)
}
