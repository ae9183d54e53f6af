package names_test

import (
	"context"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fairlead.dev/agents/internal/session/names"
)

// fleet is a network of servers whose names a test sets. A server without a name fails.
type fleet struct {
	mu      sync.Mutex
	names   map[netip.AddrPort]names.Name
	probes  map[netip.AddrPort][]time.Time
	running int
	most    int
	takes   time.Duration
	events  []names.Event
}

func (f *fleet) probe(ctx context.Context, address netip.AddrPort, _ string) []names.Finding {
	f.mu.Lock()
	f.probes[address] = append(f.probes[address], time.Now())
	f.running++
	f.most = max(f.most, f.running)
	name, ok := f.names[address]
	f.mu.Unlock()
	select {
	case <-ctx.Done():
	case <-time.After(f.takes):
	}
	f.mu.Lock()
	f.running--
	f.mu.Unlock()
	if !ok {
		return []names.Finding{{Kind: names.Failed, Reason: "refused the connection"}}
	}
	return []names.Finding{{Kind: names.Stable, Names: []names.Name{name}}}
}

func (f *fleet) set(server names.Server, name names.Name) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.names[server.Address] = name
}

func (f *fleet) count(server names.Server) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.probes[server.Address])
}

func (f *fleet) monitor(t *testing.T, atOnce int) *names.Monitor {
	t.Helper()
	f.names, f.probes = map[netip.AddrPort]names.Name{}, map[netip.AddrPort][]time.Time{}
	m := names.NewMonitor(names.Options{
		Probe: f.probe, Interval: time.Hour, Lifetime: 10 * time.Hour, AtOnce: atOnce,
		Event: func(event names.Event) { f.events = append(f.events, event) },
	})
	t.Cleanup(m.Close)
	return m
}

func server(number byte) names.Server {
	return names.Server{ID: "b" + string('0'+number), Address: netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, number}), 443)}
}

func pass(duration time.Duration) {
	time.Sleep(duration)
	synctest.Wait()
}

func TestAMonitorLearnsARotationAndKeepsTheOldName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fleet{}
		m := f.monitor(t, 0)
		f.set(server(1), first)
		m.Set([]names.Server{server(1)})
		pass(2 * time.Second)
		if got := m.Table(""); !reflect.DeepEqual(got, map[names.Name][]string{first: {"b1"}}) {
			t.Fatalf("table %v", got)
		}
		f.set(server(1), second)
		pass(2 * time.Hour)
		if got := m.Table(""); !reflect.DeepEqual(got, map[names.Name][]string{first: {"b1"}, second: {"b1"}}) {
			t.Fatalf("after the rotation: %v", got)
		}
		pass(12 * time.Hour)
		if got := m.Table(""); !reflect.DeepEqual(got, map[names.Name][]string{second: {"b1"}}) {
			t.Fatalf("after the lifetime: %v", got)
		}
		if len(f.events) != 2 || !strings.Contains(f.events[1].Message, "with a new name") || f.events[1].Server != "b1" {
			t.Fatalf("events %+v", f.events)
		}
	})
}

func TestAMonitorRetriesAfterAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fleet{}
		m := f.monitor(t, 0)
		m.Set([]names.Server{server(1)})
		pass(20 * time.Second) // at 0, 5 and 15 s, each a tenth more or less and up to 1 s later
		if got := f.count(server(1)); got < 2 || got > 3 {
			t.Fatalf("%d probes", got)
		}
		pass(10 * time.Hour) // the pause doubles up to an hour
		if got := f.count(server(1)); got < 15 || got > 25 {
			t.Fatalf("%d probes", got)
		}
		f.set(server(1), first)
		m.Again("b1")
		synctest.Wait()
		if got := m.Table(""); !slices.Equal(got[first], []string{"b1"}) {
			t.Fatalf("Again has no effect: %v", got)
		}
	})
}

func TestASharedNameIdentifiesNoServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fleet{}
		m := f.monitor(t, 0)
		f.set(server(1), first)
		f.set(server(2), first)
		f.set(server(3), second)
		m.Set([]names.Server{server(1), server(2), server(3)})
		pass(3 * time.Hour)
		if got := m.Table(""); !reflect.DeepEqual(got, map[names.Name][]string{first: {"b1", "b2"}, second: {"b3"}}) {
			t.Fatalf("table %v", got)
		}
		warnings := 0
		for _, event := range f.events {
			if event.Warning && strings.HasPrefix(event.Message, "uses the same ticket key as b2") && event.Server == "b1" {
				warnings++
			}
		}
		if warnings != 1 {
			t.Fatalf("%d warnings in %+v", warnings, f.events)
		}
		m.Set([]names.Server{server(1), server(3)})
		if got := m.Table(""); !slices.Equal(got[first], []string{"b1"}) {
			t.Fatalf("the name isn't shared any more: %v", got)
		}
	})
}

// The same server may be behind several services: names must only differ within one.
func TestServersOfDifferentGroupsMayHaveTheSameName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fleet{}
		m := f.monitor(t, 0)
		one, other := server(1), server(2)
		one.Group, other.Group = "one", "other"
		other.Lifetime = 3 * time.Hour
		f.set(one, first)
		f.set(other, first)
		m.Set([]names.Server{one, other})
		pass(2 * time.Second)
		if got := m.Table("one"); !reflect.DeepEqual(got, map[names.Name][]string{first: {"b1"}}) {
			t.Errorf("table %v", got)
		}
		for _, event := range f.events {
			if event.Warning || event.Change != names.Learned || event.Group != map[string]string{"b1": "one", "b2": "other"}[event.Server] {
				t.Errorf("event %+v", event)
			}
		}
		f.set(one, second)
		f.set(other, second)
		pass(6 * time.Hour) // longer than tickets of the other group live
		if got := m.Table("one"); len(got) != 2 {
			t.Errorf("table %v", got)
		}
		if got := m.Table("other"); !reflect.DeepEqual(got, map[names.Name][]string{second: {"b2"}}) {
			t.Errorf("table of the other group %v", got)
		}
		if last := f.events[len(f.events)-1]; last.Change != names.Renamed {
			t.Errorf("event %+v", last)
		}
	})
}

func TestProbesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fleet{takes: time.Second}
		m := f.monitor(t, 2)
		var servers []names.Server
		for number := range byte(9) {
			f.set(server(number), names.Name{number})
			servers = append(servers, server(number))
		}
		m.Set(servers)
		pass(10 * time.Second)
		if f.most != 2 || len(m.Table("")) != 9 {
			t.Fatalf("%d probes at the same time; table %v", f.most, m.Table(""))
		}
	})
}

func TestCloseEndsRunningProbes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fleet{takes: 100 * time.Hour}
		m := f.monitor(t, 0)
		m.Set([]names.Server{server(1)})
		pass(2 * time.Second)
		before := time.Now()
		m.Close()
		if passed := time.Since(before); passed != 0 || f.running != 0 || len(f.events) != 0 {
			t.Fatalf("closed after %v, %d probes run, events %v", passed, f.running, f.events)
		}
	})
}

func TestARemovedServerIsForgottenAndAResultTooLateIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fleet{takes: 10 * time.Second}
		m := f.monitor(t, 0)
		f.set(server(1), first)
		m.Set([]names.Server{server(1)})
		pass(2 * time.Second)
		m.Set(nil)
		pass(20 * time.Second)
		if len(m.Table("")) != 0 || len(f.events) != 0 || f.count(server(1)) != 1 {
			t.Fatalf("table %v, events %v", m.Table(""), f.events)
		}
	})
}

// A rotation waits until servers use their new key, so that is seen within seconds.
func TestAnExpectedNameIsAwaitedWithMoreProbes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fleet{}
		m := f.monitor(t, 4)
		one, before, next := server(1), names.Name{1}, names.Name{2}
		f.set(one, before)
		one.Expected = before
		m.Set([]names.Server{one})
		pass(30 * time.Minute)
		if got := f.count(one); got != 1 {
			t.Fatalf("%d probes of a server with its expected name", got)
		}
		one.Expected = next
		m.Set([]names.Server{one})
		pass(time.Minute) // 5, 10, 20 and 40 seconds after each other
		if got := f.count(one); got < 4 || got > 5 {
			t.Errorf("%d probes within a minute", got)
		}
		f.set(one, next)
		pass(time.Minute)
		if record := m.Record(one, ""); record.Current()[0] != next {
			t.Errorf("names %v", record.Known)
		}
		probes := f.count(one)
		pass(30 * time.Minute)
		if got := f.count(one) - probes; got > 1 {
			t.Errorf("%d probes after the name was seen", got)
		}
	})
}
