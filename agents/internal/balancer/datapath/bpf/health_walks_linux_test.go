package bpf

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/racing"
)

// Promise: a change of health is applied within 100 ms, also while the tables of flows are
// walked for reports and for peers. BenchmarkHealthChangeDuringWalks measures more flows
// than a test has time for.
//
// Other programs on the machine delay single changes, so one of eight may take longer, and
// the best of up to three rounds counts.
func TestAHealthChangeDoesNotWaitForWalks(t *testing.T) {
	e, service := crowded(t, XDP, 400_000, datapath.Filling)
	var all [][]time.Duration
	for range 3 {
		took := changeHealth(t, e, service, 8)
		slices.Sort(took)
		if all = append(all, took); took[6] <= racing.Slower*100*time.Millisecond {
			return
		}
	}
	t.Errorf("changes of health took %v", all)
}

// BenchmarkHealthChangeDuringWalks measures how long changes of health take: `go test -run -
// -bench HealthChange -benchtime 30x`. 16 million flows need 5 GB.
func BenchmarkHealthChangeDuringWalks(b *testing.B) {
	for _, state := range []datapath.State{datapath.Active, datapath.Filling} {
		for _, millions := range []int{1, 4, 16} {
			b.Run(fmt.Sprintf("%s/%dM", state, millions), func(b *testing.B) {
				if b.N == 1 {
					return // only finds out that it can run
				}
				e, service := crowded(b, XDP, millions*1_000_000, state)
				took := changeHealth(b, e, service, b.N)
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)/2].Milliseconds()), "median-ms")
				b.ReportMetric(float64(took[len(took)-1].Milliseconds()), "max-ms")
			})
		}
	}
}

// crowded returns an engine with this many connections, half of them to a backend of this
// state. Those of a filling one are misplaced.
func crowded(t testing.TB, hook Hook, flows int, state datapath.State) (*Engine, datapath.Service) {
	t.Helper()
	e := openAt(t, newPlace(t), hook, datapath.Options{Connections: flows + flows/16})
	service := newService(service4, 80, datapath.TCP, datapath.Direct, func(b *datapath.Backend) {
		if b.ID == "b" {
			b.State = state
		}
	})
	set(t, e, service)
	all := e.published.Names().ByKey[service.Key]
	now := program.SeenNow()
	const chunk = 1 << 14
	for at := 0; at < flows; at += chunk {
		keys, entries := make([]program.FlowKey, min(chunk, flows-at)), make([]program.FlowEntry, min(chunk, flows-at))
		for i := range keys {
			n := at + i
			b := all[[]string{"a", "b"}[n%2]]
			keys[i] = program.ToFlowKey(service.Key, netip.AddrPortFrom(netip.AddrFrom4([4]byte{100, byte(n >> 20), byte(n >> 12), byte(n >> 4)}), uint16(1024+n%16)))
			entries[i] = program.FlowEntry{Incarnation: b.Incarnation, Slot: b.Slot, Seen: now}
		}
		_, err := e.maps[program.TcxMapConnections].BatchUpdate(keys, entries, nil)
		must(t, err)
	}
	return e, service
}

// changeHealth sets a backend down and up again on a loop that also reports, as the agent's
// does, while two peers fetch all flows. It returns how long each change took.
func changeHealth(t testing.TB, e *Engine, service datapath.Service, times int) (took []time.Duration) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 3)
	for range 2 {
		go func() {
			for ctx.Err() == nil {
				if _, err := e.MisplacedNow(ctx); err != nil && ctx.Err() == nil {
					ended <- err
					return
				}
			}
			ended <- nil
		}()
	}
	changes, done := make(chan bool), make(chan error)
	go func() {
		report := time.NewTicker(time.Second)
		defer report.Stop()
		for {
			select {
			case <-ctx.Done():
				ended <- nil
				return
			case <-report.C:
				if _, err := e.Observe(ctx); err != nil && ctx.Err() == nil {
					ended <- err
					return
				}
			case up := <-changes:
				changed := service
				changed.Backends = slices.Clone(service.Backends)
				changed.Backends[0].Up = up
				_, err := e.Set(ctx, []datapath.Service{changed})
				done <- err
			}
		}
	}()
	for i := range times {
		time.Sleep(310 * time.Millisecond) // so that they meet reports at all stages
		began := time.Now()
		changes <- i%2 == 1
		must(t, <-done)
		took = append(took, time.Since(began))
	}
	cancel()
	for range 3 {
		must(t, <-ended)
	}
	return took
}
