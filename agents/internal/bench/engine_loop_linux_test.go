package bench

import (
	"maps"
	"slices"
	"testing"

	"fairlead.dev/agents/internal/session/names"
	"fairlead.dev/agents/internal/session/replica"
)

func TestANameIsLearnedOnceAllServicesKnowIt(t *testing.T) {
	former, next := names.Name{1}, names.Name{2}
	services := func(four, six []names.Name) []replica.Service {
		return []replica.Service{
			{Backends: []replica.Backend{{ID: "a", Names: bytesOf(four)}}},
			{Backends: []replica.Backend{{ID: "a", Names: bytesOf(six)}}},
		}
	}
	for _, c := range []struct {
		four, six, want []names.Name
	}{
		{[]names.Name{former}, []names.Name{former, next}, []names.Name{former}},
		{[]names.Name{next, former}, []names.Name{former, next}, []names.Name{former, next}},
	} {
		got := namesOfAll(services(c.four, c.six))
		if !maps.EqualFunc(got, map[string][]names.Name{"a": c.want}, slices.Equal) {
			t.Errorf("IPv4 knows %v and IPv6 %v: learned %v, want %v", c.four, c.six, got, c.want)
		}
	}
}

func bytesOf(list []names.Name) (all [][replica.NameBytes]byte) {
	for _, name := range list {
		all = append(all, name)
	}
	return all
}
