package datapath_test

import (
	"slices"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/maglev"
)

func TestStateAndHealthDecideWhichTableABackendIsIn(t *testing.T) {
	for _, test := range []struct {
		state          datapath.State
		up             bool
		settled, fresh bool
	}{
		{datapath.Active, true, true, true},
		{datapath.Active, false, true, false},
		{datapath.Draining, true, true, false},
		{datapath.Draining, false, true, false},
		{datapath.Filling, true, false, true},
		{datapath.Filling, false, false, false},
		{datapath.Inactive, true, false, false},
	} {
		t.Run(string(test.state), func(t *testing.T) {
			backends := []datapath.Backend{{ID: "a", Weight: 3, State: test.state, Up: test.up}}
			want := []maglev.Member{{ID: "a", Weight: 3}}
			if got := datapath.Settled(backends); slices.Equal(got, want) != test.settled {
				t.Errorf("up %v: settled %v", test.up, got)
			}
			if got := datapath.Fresh(backends); slices.Equal(got, want) != test.fresh {
				t.Errorf("up %v: fresh %v", test.up, got)
			}
		})
	}
}

func TestWhatIsComing(t *testing.T) {
	named := func(states ...datapath.State) (backends []datapath.Backend) {
		for i, state := range states {
			backends = append(backends, datapath.Backend{ID: string(rune('a' + i)), State: state, Weight: 1, Up: true})
		}
		return backends
	}
	for _, test := range []struct {
		of   []datapath.Backend
		want []string
	}{
		{named(datapath.Active, datapath.Active, datapath.Inactive), nil},
		{named(datapath.Active, datapath.Filling), []string{"ab"}},
		{named(datapath.Active, datapath.Draining), []string{"a"}},
		{named(datapath.Active, datapath.Filling, datapath.Draining), []string{"ab", "abc", "a"}},
	} {
		var got []string
		for _, members := range datapath.Coming(test.of) {
			ids := ""
			for _, member := range members {
				ids += member.ID
			}
			got = append(got, ids)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%v: %q, want %q", test.of, got, test.want)
		}
	}
}
