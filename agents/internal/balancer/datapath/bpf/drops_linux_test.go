package bpf

import (
	"maps"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func TestDropsAreTheirServices(t *testing.T) {
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
			set(t, e, carries, empty) // in the slot of before
			observed, err = e.Observe(t.Context())
			must(t, err)
			if got := dropped(observed.Services[1].Drops); len(got) != 0 {
				t.Errorf("a service begins with drops of the one before: %v", got)
			}
		})
	}
}
