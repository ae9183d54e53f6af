package clients

import (
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// retryAfter is the time from a failure of the tap until it is opened again.
const retryAfter = 5 * time.Second

// Sampler samples the packets of services while at least one requests it. Any goroutine may call
// its methods, and none waits for the network.
type Sampler struct {
	open     func() (Tap, error)
	services atomic.Pointer[directory]
	stop     chan struct{} // of the goroutine; nil while there is none
	running  sync.WaitGroup

	mu      sync.Mutex
	windows map[datapath.Key]*window
	upTo    time.Time // what is counted; zero before the first interval
	oneIn   uint32
	problem string
}

// Sample is the estimate for one service.
type Sample struct {
	Problem  string        // why there is none, as a sentence
	Span     time.Duration // that it covers; 0 at first
	OneIn    uint32        // the sampling rate now
	Networks []Network     // the largest first
	OtherBps float64       // of all other networks
}

// Network is the estimated traffic of a client network.
type Network struct {
	Prefix           netip.Prefix
	ThroughputBps    float64
	PacketsPerSecond float64
}

// NewSampler returns a sampler that is off until the first Set.
func NewSampler(open func() (Tap, error)) *Sampler {
	s := &Sampler{open: open, windows: map[datapath.Key]*window{}}
	s.services.Store(newDirectory(nil))
	return s
}

// Set replaces the services of this host. Those that stay keep what was counted.
func (s *Sampler) Set(services []Service) {
	next := newDirectory(services)
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	for key := range s.windows {
		if !next.sampled[key] {
			delete(s.windows, key)
		}
	}
	for key := range next.sampled {
		if s.windows[key] == nil {
			s.windows[key] = newWindow(now)
		}
	}
	s.services.Store(next)
	switch {
	case len(next.sampled) > 0 && s.stop == nil:
		s.stop = make(chan struct{})
		stop := s.stop
		s.running.Go(func() { s.run(stop) })
	case len(next.sampled) == 0 && s.stop != nil:
		close(s.stop)
		s.stop, s.problem, s.oneIn = nil, "", 0
	}
}

// Close stops sampling, and returns when the socket is closed.
func (s *Sampler) Close() {
	s.Set(nil)
	s.running.Wait()
}

// run samples until stop is closed, and opens the tap again after a failure.
func (s *Sampler) run(stop <-chan struct{}) {
	for {
		err := s.sample(stop)
		if err == nil {
			return
		}
		s.fail(stop, err)
		select {
		case <-stop:
			return
		case <-time.After(retryAfter):
		}
	}
}

func (s *Sampler) sample(stop <-chan struct{}) error {
	tap, err := s.open()
	if err != nil {
		return err
	}
	defer func() { _ = tap.Close() }()
	s.begin(stop, time.Now())
	polls := time.NewTicker(pollEvery)
	defer polls.Stop()
	for oneIn := uint32(1); ; {
		i, err := sampleInterval(tap, oneIn, s.services.Load, polls.C, stop)
		if err != nil {
			return err
		}
		now := time.Now()
		oneIn = nextOneIn(oneIn, i.selected, now.Sub(i.began))
		if !s.add(stop, i, oneIn, now) {
			return nil
		}
	}
}

// begin restarts the windows, because nothing was counted without a tap. A problem stays until a
// packet could be read: a tap opens even if its interface is down.
func (s *Sampler) begin(stop <-chan struct{}, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop != stop {
		return
	}
	s.oneIn, s.upTo = 1, time.Time{}
	for key := range s.windows {
		s.windows[key] = newWindow(now)
	}
}

// add counts an interval. It returns false once sampling is off.
func (s *Sampler) add(stop <-chan struct{}, i *interval, nextOneIn uint32, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop != stop {
		return false
	}
	weight := i.weight()
	for from, sent := range i.sent {
		if w := s.windows[from.service]; w != nil {
			w.add(now, from.network, sent.times(weight))
		}
	}
	s.problem, s.upTo, s.oneIn = "", now, nextOneIn
	return true
}

func (s *Sampler) fail(stop <-chan struct{}, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop == stop {
		s.problem = sentence(err)
	}
}

func sentence(err error) string {
	if errors.Is(err, fs.ErrPermission) {
		return "The agent may not open a packet socket. Give it the capability CAP_NET_RAW to sample clients."
	}
	return fmt.Sprintf("Clients can't be sampled: %v.", err)
}

// Samples returns the estimate of each service that requests one, with at most so many networks.
func (s *Sampler) Samples(most int) map[datapath.Key]Sample {
	s.mu.Lock()
	defer s.mu.Unlock()
	services := s.services.Load()
	all := make(map[datapath.Key]Sample, len(s.windows)+len(services.left))
	for key, w := range s.windows {
		if s.problem != "" {
			all[key] = Sample{Problem: s.problem}
			continue
		}
		all[key] = w.estimate(s.upTo, s.oneIn, most)
	}
	for key := range services.left {
		all[key] = Sample{Problem: fmt.Sprintf("A balancer samples at most %d services. Stop sampling another service to sample this one.", servicesMost)}
	}
	return all
}

func (w *window) estimate(upTo time.Time, oneIn uint32, most int) Sample {
	sample := Sample{OneIn: oneIn}
	if !upTo.After(w.began) {
		return sample
	}
	listed, other, span := w.largest(upTo, most)
	const bits = 8
	sample.Span, sample.OtherBps = span, bits*other.bytes/span.Seconds()
	for _, one := range listed {
		sample.Networks = append(sample.Networks, Network{
			Prefix: one.prefix, ThroughputBps: bits * one.sent.bytes / span.Seconds(), PacketsPerSecond: one.sent.packets / span.Seconds(),
		})
	}
	return sample
}
