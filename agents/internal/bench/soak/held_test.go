package soak

import (
	"slices"
	"testing"
)

func TestTemporaryResourcesAreNotHeld(t *testing.T) {
	a, b := Held{"fds": {"lb-1": 12, "lb-2": 10}}, Held{"fds": {"lb-1": 10, "lb-2": 11}, "pins": {"lb-1": 3}}
	got := Compare(a.both(b, most), a.both(b, least))
	want := []Left{{"fds", "lb-1", 12, 10}, {"fds", "lb-2", 11, 10}, {"pins", "lb-1", 3, 0}}
	if !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

func TestEachPlaceIsComparedSeparately(t *testing.T) {
	got := Compare(Held{"fds": {"lb-1": 12, "lb-2": 10}}, Held{"fds": {"lb-1": 10, "lb-2": 11, "lb-3": 9}})
	want := []Left{{"fds", "lb-1", 12, 10}, {"fds", "lb-2", 10, 11}, {"fds", "lb-3", 0, 9}}
	if !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}
