package adaptive

import (
	"maps"
	"slices"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// The connections to a backend end once it is removed, unless it is back before.
func TestOnlyRemovedBackendsAreMarked(t *testing.T) {
	parse := func(change func(*Desired)) Desired {
		services, rejected := parseServices(validConfig().GetServices())
		if len(rejected) > 0 {
			t.Fatal(rejected)
		}
		desired := Desired{On: true, Node: "nod_1", Services: services}
		change(&desired)
		return desired
	}
	all := parse(func(*Desired) {})
	first := endOf(&all.Services[0], all.Services[0].Backends[0].Address)
	second := endOf(&all.Services[0], all.Services[0].Backends[1].Address)
	fewer := parse(func(d *Desired) { d.Services[0].Backends = d.Services[0].Backends[1:] })
	none := parse(func(d *Desired) { d.Services = nil })
	kept := parse(func(d *Desired) { d.Services[0].Backends, d.Services[0].EndsConnections = nil, false })

	d := &Driver{ending: map[datapath.Key]bool{}}
	for _, step := range []struct {
		name string
		to   Desired
		want []datapath.Key
	}{
		{"at first", all, nil},
		{"one is removed", fewer, []datapath.Key{first}},
		{"it couldn't be ended, and the config is the same", fewer, []datapath.Key{first}},
		{"it is back", all, nil},
		{"the service is removed", none, []datapath.Key{first, second}},
		{"the service is back", all, nil},
		{"it doesn't end connections any more", kept, nil},
	} {
		former := d.desired
		d.take(step.to)
		d.mark(former)
		got := slices.SortedFunc(maps.Keys(d.ending), func(a, b datapath.Key) int { return a.Address.Compare(b.Address) })
		if !slices.Equal(got, step.want) {
			t.Errorf("%s: %v, want %v", step.name, got, step.want)
		}
	}
}
