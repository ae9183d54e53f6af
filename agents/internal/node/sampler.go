package node

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"fairlead.dev/agents/internal/node/echo"
)

// gapIntervals is how many intervals two samples may be apart for a meaningful rate.
const gapIntervals = 5

// sampler samples the host at an interval, in its own goroutine so that neither a slow Set nor a
// slow report delays a sample.
type sampler struct {
	sampling Sampling
	source   Source
	meter    *echo.Meter
	points   *points

	cancel context.CancelFunc
	done   chan struct{}

	mu  sync.Mutex
	err error // of the last sample
}

func startSampler(sampling Sampling, source Source, meter *echo.Meter, points *points) *sampler {
	ctx, cancel := context.WithCancel(context.Background())
	s := &sampler{sampling: sampling, source: source, meter: meter, points: points, cancel: cancel, done: make(chan struct{})}
	go s.run(ctx)
	return s
}

func (s *sampler) stop() {
	s.cancel()
	<-s.done
}

// alive reports whether it still samples.
func (s *sampler) alive() bool {
	select {
	case <-s.done:
		return false
	default:
		return true
	}
}

func (s *sampler) lastError() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

func (s *sampler) run(ctx context.Context) {
	defer close(s.done)
	tick := time.NewTicker(s.sampling.Every)
	defer tick.Stop()

	// Two sets of counters alternate, so that a sample allocates almost nothing.
	before, now := &Counters{}, &Counters{}
	var figures []Figure
	for {
		figures = s.sample(before, now, figures[:0])
		before, now = now, before
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (s *sampler) sample(before, now *Counters, figures []Figure) []Figure {
	err := s.source.Read(now)
	s.mu.Lock()
	s.err = err
	s.mu.Unlock()
	if err != nil {
		now.At = time.Time{} // never the base of a rate
		return figures
	}
	now.Interfaces = slices.DeleteFunc(now.Interfaces, func(i InterfaceCounters) bool { return s.sampling.Excludes(i.Name) })
	figures = appendGauges(figures, now, runtime.NumGoroutine())
	if !before.At.IsZero() {
		figures = appendRates(figures, before, now, s.gapMost())
	}
	figures = appendRoundTrips(figures, s.meter.RoundTrips())
	s.points.add(figures, now.At)
	return figures
}

func (s *sampler) gapMost() time.Duration {
	return max(gapIntervals*s.sampling.Every, 10*time.Second)
}
