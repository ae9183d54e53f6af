package clients

import (
	"math"
	"net/netip"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// countingTap counts what is read.
type countingTap struct {
	Tap
	reads *atomic.Int64
}

func (c countingTap) Read() (Packet, bool, error) {
	packet, waits, err := c.Tap.Read()
	if waits {
		c.reads.Add(1)
	}
	return packet, waits, err
}

// sampler returns a sampler of the balancer, and how many packets it has read.
func (n *testNetwork) sampler(t *testing.T) (*Sampler, *atomic.Int64) {
	t.Helper()
	var reads atomic.Int64
	s := NewSampler(func() (Tap, error) {
		tap, err := n.open(iface)
		if err != nil {
			return nil, err
		}
		return countingTap{tap, &reads}, nil
	})
	t.Cleanup(s.Close)
	return s, &reads
}

// until waits until a condition holds.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for deadline := time.Now().Add(20 * time.Second); !holds(); <-ticker.C {
		if time.Now().After(deadline) {
			t.Fatalf("not within 20 s: %s", what)
		}
	}
}

// packetSockets counts those of a namespace.
func (n *testNetwork) packetSockets(t *testing.T) (count int) {
	t.Helper()
	must(t, n.balancer.Do(func() error {
		data, err := os.ReadFile("/proc/thread-self/net/packet")
		count = strings.Count(string(data), "\n") - 1
		return err
	}))
	return count
}

func TestNoSocketIsOpenUnlessAServiceIsSampled(t *testing.T) {
	n := newTestNetwork(t)
	s, _ := n.sampler(t)
	for _, step := range []struct {
		name  string
		set   []Service
		wants int
	}{
		{"off", []Service{{dns, false}}, 0}, {"on", []Service{{dns, true}, {web, true}}, 1}, {"off again", []Service{{dns, false}}, 0},
	} {
		s.Set(step.set)
		until(t, step.name, func() bool { return n.packetSockets(t) == step.wants })
	}
	s.Set([]Service{{dns, true}})
	until(t, "on", func() bool { return n.packetSockets(t) == 1 })
	s.Close()
	if open := n.packetSockets(t); open != 0 {
		t.Errorf("%d sockets are open after Close", open)
	}
}

// Two clients send as fast as they can, one three times as much as the other. However much that is,
// about a thousand packets a second are read.
func TestAFloodIsSampledAtLimitedCost(t *testing.T) {
	n := newTestNetwork(t)
	n.listen(t, dns)
	s, reads := n.sampler(t)
	flood := &flood{stop: make(chan struct{})}
	for _, from := range []netip.Addr{large.Addr(), large.Addr(), large.Addr(), small.Addr()} {
		flood.conns = append(flood.conns, n.client(t, from, dns))
	}
	before := n.received(t)
	var running sync.WaitGroup
	running.Go(flood.run)
	defer running.Wait()
	defer close(flood.stop)
	began := time.Now()
	s.Set([]Service{{dns, true}})
	var mostOneIn uint32
	var sample Sample
	until(t, "a sample of six seconds", func() bool {
		sample = s.Samples(20)[dns]
		mostOneIn = max(mostOneIn, sample.OneIn)
		return sample.Span > 6*time.Second
	})
	perSecond := float64(n.received(t)-before) / time.Since(began).Seconds()
	total := perSecond * sample.Span.Seconds()
	t.Logf("%.0f packets a second; one in %d; %d packets read in %v", perSecond, mostOneIn, reads.Load(), time.Since(began))
	if len(sample.Networks) != 2 || sample.Networks[0].Prefix != large.Masked() || sample.Networks[1].Prefix != small.Masked() {
		t.Fatalf("networks %+v", sample.Networks)
	}
	// One interval may have begun, and each may read what waits in the buffer besides.
	if most := (time.Since(began).Seconds() + 2) * readMost; float64(reads.Load()) > most {
		t.Errorf("%d packets were read, want at most %.0f", reads.Load(), most)
	}
	if mostOneIn < 4 {
		t.Errorf("one packet in %d was sampled: the flood is too small for this test", mostOneIn)
	}
	// With packets selected at random, one in N, the variance of the estimate of K packets is K·(N−1).
	sum := 0.0
	for i, share := range []float64{0.75, 0.25} {
		got, exact := sample.Networks[i], share*perSecond
		if off := 5 * math.Sqrt(float64(mostOneIn-1)/(share*total)); math.Abs(got.PacketsPerSecond/exact-1) > off {
			t.Errorf("%s sends %.0f packets a second, want %.0f ±%.1f %%", got.Prefix, got.PacketsPerSecond, exact, 100*off)
		}
		sum += got.ThroughputBps
	}
	const bits = 8 * (14 + 20 + 8 + floodSize)
	if off := 5 * math.Sqrt(float64(mostOneIn-1)/total); math.Abs(sum/(bits*perSecond)-1) > off {
		t.Errorf("%.0f bit/s in all, want %.0f ±%.1f %%", sum, bits*perSecond, 100*off)
	}
}

const floodSize = 400

type flood struct {
	conns []interface{ Write([]byte) (int, error) }
	stop  chan struct{}
}

func (f *flood) run() {
	payload := make([]byte, floodSize)
	for {
		select {
		case <-f.stop:
			return
		default:
		}
		for _, conn := range f.conns {
			_, _ = conn.Write(payload) // a full queue loses packets of all clients alike
		}
	}
}

// received returns how many packets have reached the balancer.
func (n *testNetwork) received(t *testing.T) uint64 {
	t.Helper()
	link, err := n.balancer.Links().LinkByName(iface)
	must(t, err)
	return link.Attrs().Statistics.RxPackets
}
