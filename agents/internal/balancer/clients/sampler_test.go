package clients

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// The estimate holds with little traffic, with much more than is read, and when the kernel drops
// packets because traffic rises suddenly.
func TestTheEstimateHoldsAndTheCostIsLimited(t *testing.T) {
	const tenSeconds = 10
	for _, test := range []struct {
		name      string
		perSecond [2]float64
		tolerance float64 // of each network's throughput
	}{
		// All is read. The fake picks clients at random: 1000 of 4000 packets, ±3 %.
		{"little traffic", [2]float64{300, 100}, 0.15},
		// About 1000 × 10 samples are read, a tenth of them of the smaller network. The relative
		// standard deviation of its estimate is 1/√1000; five of them are 16 %.
		{"much traffic", [2]float64{90_000, 10_000}, 0.16},
		// More drops in the first moments: fewer than 10 000 samples, but at least half of them.
		{"a flood", [2]float64{1_800_000, 200_000}, 0.22},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tap := newFakeTap(func(client int) float64 { return test.perSecond[client] })
				s := NewSampler(tap.open)
				defer s.Close()
				s.Set([]Service{{web, true}})
				time.Sleep(tenSeconds*time.Second + pollEvery)
				synctest.Wait()
				sample := s.Samples(20)[web]
				if sample.Problem != "" || len(sample.Networks) != 2 || sample.OtherBps != 0 || sample.Span < 8*time.Second {
					t.Fatalf("got %+v", sample)
				}
				for i, want := range []string{"203.0.113.0/24", "198.51.100.0/24"} {
					got, exact := sample.Networks[i], test.perSecond[i]
					if got.Prefix.String() != want || math.Abs(got.PacketsPerSecond/exact-1) > test.tolerance {
						t.Errorf("network %d is %+v, want %s with %v packets a second", i, got, want, exact)
					}
					if bps := 8 * fakeLength * got.PacketsPerSecond; math.Abs(got.ThroughputBps/bps-1) > 1e-9 {
						t.Errorf("%v bit/s with %v packets of %d bytes a second", got.ThroughputBps, got.PacketsPerSecond, fakeLength)
					}
				}
				// One more second, because the first rate is too high.
				if most := (tenSeconds+1)*readMost + 2*fakeBuffer; tap.reads > most {
					t.Errorf("%d packets were read, want at most %d", tap.reads, most)
				}
				if total := test.perSecond[0] + test.perSecond[1]; total/float64(sample.OneIn) > 1.2*readMost || sample.OneIn > 1 && total/float64(sample.OneIn) < readMost/3 {
					t.Errorf("one in %d of %v packets a second is sampled", sample.OneIn, total)
				}
			})
		})
	}
}

func TestAfterAFloodAllIsSampledAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var flood atomic.Bool
		flood.Store(true)
		tap := newFakeTap(func(client int) float64 {
			if flood.Load() {
				return 500_000
			}
			return 100
		})
		s := NewSampler(tap.open)
		defer s.Close()
		s.Set([]Service{{web, true}})
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if oneIn := s.Samples(20)[web].OneIn; oneIn < 512 {
			t.Errorf("one in %d during the flood", oneIn)
		}
		flood.Store(false)
		time.Sleep(8 * time.Second)
		synctest.Wait()
		if oneIn := s.Samples(20)[web].OneIn; oneIn != 1 {
			t.Errorf("one in %d after the flood", oneIn)
		}
	})
}

func TestATapIsOpenOnlyWhileAServiceIsSampled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tap := newFakeTap(func(int) float64 { return 100 })
		s := NewSampler(tap.open)
		defer s.Close()
		for _, step := range []struct {
			name     string
			services []Service
			opens    int64
			open     bool
		}{
			{"no services", nil, 0, false},
			{"none sampled", []Service{{web, false}}, 0, false},
			{"one sampled", []Service{{web, true}}, 1, true},
			{"again", []Service{{web, true}}, 1, true},
			{"off", []Service{{web, false}}, 1, false},
			{"on", []Service{{web, true}}, 2, true},
			{"removed", nil, 2, false},
		} {
			s.Set(step.services)
			time.Sleep(3 * time.Second)
			synctest.Wait()
			if tap.opens.Load() != step.opens || tap.isOpen.Load() != step.open {
				t.Errorf("%s: opened %d times, open %v, want %d and %v", step.name, tap.opens.Load(), tap.isOpen.Load(), step.opens, step.open)
			}
			if sampled := s.Samples(20); (len(sampled) > 0) != step.open || step.open && len(sampled[web].Networks) != 2 {
				t.Errorf("%s: samples %+v", step.name, sampled)
			}
		}
	})
}

func TestAFailureIsReportedAndRetried(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("open a packet socket: %w", unix.EPERM), "Give it the capability CAP_NET_RAW"},
		{errors.New("find interface eth7: no such network interface"), "Clients can't be sampled: find interface eth7: no such network interface."},
	} {
		synctest.Test(t, func(t *testing.T) {
			tap := newFakeTap(func(int) float64 { return 100 })
			tap.failing.Store(&test.err)
			s := NewSampler(tap.open)
			defer s.Close()
			s.Set([]Service{{web, true}})
			synctest.Wait()
			if got := s.Samples(20)[web]; !strings.Contains(got.Problem, test.want) {
				t.Errorf("got %+v", got)
			}
			tap.failing.Store(nil)
			time.Sleep(retryAfter + 2*time.Second)
			synctest.Wait()
			if got := s.Samples(20)[web]; got.Problem != "" || len(got.Networks) != 2 || got.Span > 2*time.Second {
				t.Errorf("after the retry: %+v", got)
			}
			down := error(unix.ENETDOWN)
			tap.failing.Store(&down) // also while it is open
			time.Sleep(2 * time.Second)
			synctest.Wait()
			if got := s.Samples(20)[web]; !strings.Contains(got.Problem, "network is down") || tap.isOpen.Load() {
				t.Errorf("with the interface down: %+v", got)
			}
		})
	}
}

func TestServicesAboveTheLimitHaveAProblem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var services []Service
		for port := range uint16(servicesMost + 1) {
			services = append(services, Service{datapath.Key{Address: service4, Port: 80 + port, Protocol: datapath.TCP}, true})
		}
		tap := newFakeTap(func(int) float64 { return 100 })
		s := NewSampler(tap.open)
		defer s.Close()
		s.Set(services)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		all := s.Samples(20)
		if last := all[services[servicesMost].Key]; len(all) != servicesMost+1 || !strings.Contains(last.Problem, "at most 100 services") {
			t.Errorf("%d samples; the last is %+v", len(all), last)
		}
		if first := all[web]; first.Problem != "" || len(first.Networks) != 2 {
			t.Errorf("the first is %+v", first)
		}
	})
}
