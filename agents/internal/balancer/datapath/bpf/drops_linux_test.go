package bpf

import (
	"maps"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

func TestDropsOnTheWayToABackendCountForItToo(t *testing.T) {
	e := openAt(t, newPlace(t), XDP, datapath.Options{})
	service := newService(service4, 80, datapath.TCP, datapath.Direct, only("b"))
	set(t, e, service)
	lose := func(times int) {
		t.Helper()
		for slot, b := range e.model.Slots {
			b.Entry.Flags &^= program.BackendResolved
			must(t, e.writeBackend(slot, b.Entry))
		}
		for port := range times {
			_, _, err := e.program.Test(from4(6, uint16(1000+port), syn, "").bytes())
			must(t, err)
		}
	}
	expect := func(when string, want map[string]map[string]uint64) {
		t.Helper()
		observed, err := e.Observe(t.Context())
		must(t, err)
		for _, backend := range observed.Services[0].Backends {
			if !maps.Equal(backend.Drops, want[backend.ID]) {
				t.Errorf("%s: drops of %s are %v, want %v", when, backend.ID, backend.Drops, want[backend.ID])
			}
		}
	}
	lose(5)
	expect("at first", map[string]map[string]uint64{"b": {"unresolved": 5}})
	lose(2)
	expect("later", map[string]map[string]uint64{"b": {"unresolved": 7}})

	set(t, e) // it is removed and added as another one
	set(t, e, service)
	expect("as another", nil)
	entries := 0
	for each := e.maps[program.TcxMapBackendDrops].Iterate(); each.Next(new(program.DropKey), new(uint64)); {
		entries++
	}
	if entries != 0 {
		t.Errorf("%d entries are left of a backend that is gone", entries)
	}
}

func TestABackendWithoutAPathGetsNoPackets(t *testing.T) {
	for _, delivery := range []datapath.Delivery{datapath.Direct, datapath.Tunnel, datapath.GUE, datapath.NAT} {
		t.Run(string(delivery), func(t *testing.T) {
			e := openAt(t, newPlace(t), TCX, datapath.Options{})
			set(t, e, newService(service4, 80, datapath.TCP, delivery, only("b")))
			for slot, b := range e.model.Slots {
				b.Entry.Flags &^= program.BackendResolved
				b.Entry.Interface = 0
				must(t, e.writeBackend(slot, b.Entry))
			}
			for range 3 {
				verdict, _, err := e.program.Test(from4(6, 1000, syn, "").bytes())
				must(t, err)
				if verdict != verdictDrop {
					t.Errorf("verdict %d", verdict)
				}
			}
			observed, err := e.Observe(t.Context())
			must(t, err)
			for _, backend := range observed.Services[0].Backends {
				lost := uint64(0)
				if backend.ID == "b" {
					lost = 3
				}
				if backend.Counts.Packets != 0 || backend.Drops["unresolved"] != lost {
					t.Errorf("%s got %d packets and has drops %v", backend.ID, backend.Counts.Packets, backend.Drops)
				}
			}
		})
	}
}

func TestDropsCountForTheirService(t *testing.T) {
	for _, hook := range []Hook{TCX, XDP} {
		t.Run(hook.Name, func(t *testing.T) {
			e := openAt(t, newPlace(t), hook, datapath.Options{})
			carries := newService(service4, 80, datapath.TCP, datapath.Direct)
			empty := newService(service4.Next(), 80, datapath.TCP, datapath.Direct, func(b *datapath.Backend) { b.State = datapath.Inactive })
			set(t, e, carries, empty)
			pass := func(f frame) {
				t.Helper()
				_, _, err := e.program.Test(f.bytes())
				must(t, err)
			}
			lost := from4(6, 1000, syn, "")
			lost.dest = service4.Next()
			cut := from4(6, 1000, syn, "")
			cut.fragment = 0x2000
			for range 3 {
				pass(lost)
			}
			pass(cut)
			pass(from4(6, 1000, syn, ""))
			dropped := func(of map[string]uint64) map[string]uint64 {
				some := maps.Clone(of)
				maps.DeleteFunc(some, func(_ string, count uint64) bool { return count == 0 })
				return some
			}
			observed, err := e.Observe(t.Context())
			must(t, err)
			for name, one := range map[string]struct{ got, want map[string]uint64 }{
				"the one that carries": {dropped(observed.Services[0].Drops), nil},
				"the empty one":        {dropped(observed.Services[1].Drops), map[string]uint64{"no_backend": 3}},
				"no service":           {dropped(observed.Drops), map[string]uint64{"fragment": 1}},
				"all":                  {dropped(observed.AllDrops()), map[string]uint64{"fragment": 1, "no_backend": 3}},
			} {
				if !maps.Equal(one.got, one.want) {
					t.Errorf("drops of %s are %v, want %v", name, one.got, one.want)
				}
			}
			set(t, e, carries)
			set(t, e, carries, empty) // in the same slot
			observed, err = e.Observe(t.Context())
			must(t, err)
			if got := dropped(observed.Services[1].Drops); len(got) != 0 {
				t.Errorf("a service begins with drops of the one before: %v", got)
			}
		})
	}
}
