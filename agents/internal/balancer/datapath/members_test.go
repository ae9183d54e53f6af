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

func TestComingMembers(t *testing.T) {
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
		if got := idsOf(datapath.Coming(test.of)); !slices.Equal(got, test.want) {
			t.Errorf("%v: %q, want %q", test.of, got, test.want)
		}
	}
}

func TestComingFirstMembers(t *testing.T) {
	var backends []datapath.Backend
	for i, state := range []datapath.State{
		datapath.Active, datapath.Filling, datapath.Draining, datapath.Filling, datapath.Filling, datapath.Draining, datapath.Inactive,
	} {
		backends = append(backends, datapath.Backend{ID: string(rune('a' + i)), State: state, Weight: 1})
	}
	since := func(at int) uint32 { return []uint32{0, 30, 0, 10, 20, 0, 0}[at] }
	want := []string{"af", "ac", "acdf", "acdef"}
	for most := range len(want) + 2 {
		if got := idsOf(datapath.ComingFirst(backends, since, most)); !slices.Equal(got, want[:min(most, len(want))]) {
			t.Errorf("%d: %q, want as many of %q", most, got, want)
		}
	}
	if got := datapath.ComingFirst(backends[:3], since, 9); len(got) != 0 {
		t.Errorf("of one that fills and one that drains: %v", got)
	}
}

func idsOf(all [][]maglev.Member) (got []string) {
	for _, members := range all {
		ids := ""
		for _, member := range members {
			ids += member.ID
		}
		got = append(got, ids)
	}
	return got
}
