// Package agenttest is the contract of all drivers, including the fake.
package agenttest

import (
	"context"
	"testing"

	"fairlead.dev/agents/internal/agent"
)

// Case is a driver under test, with two different desired states.
type Case[Desired, Observed any] struct {
	Driver agent.Driver[Desired, Observed]
	First  Desired
	Second Desired
	Shows  func(Observed, Desired) bool
	Damage func() // changes the host without the driver
}

// Contract runs each test on a fresh case.
func Contract[Desired, Observed any](t *testing.T, open func(t *testing.T) Case[Desired, Observed]) {
	t.Helper()
	promises := []struct {
		name string
		keep func(*testing.T, Case[Desired, Observed])
	}{
		{"set, and observe shows desired", func(t *testing.T, c Case[Desired, Observed]) {
			mustChange(t, c, c.First, true)
			mustShow(t, c, c.First)
		}},
		{"set again changes nothing", func(t *testing.T, c Case[Desired, Observed]) {
			mustChange(t, c, c.First, true)
			mustChange(t, c, c.First, false)
			mustShow(t, c, c.First)
		}},
		{"set something else, and observe shows that", func(t *testing.T, c Case[Desired, Observed]) {
			mustChange(t, c, c.First, true)
			mustChange(t, c, c.Second, true)
			mustShow(t, c, c.Second)
		}},
		{"damage by hand is repaired and counted", func(t *testing.T, c Case[Desired, Observed]) {
			mustChange(t, c, c.First, true)
			c.Damage()
			mustChange(t, c, c.First, true)
			mustShow(t, c, c.First)
		}},
	}
	for _, promise := range promises {
		t.Run(promise.name, func(t *testing.T) {
			c := open(t)
			promise.keep(t, c)
			if err := c.Driver.Close(); err != nil {
				t.Fatalf("close: %v", err)
			}
		})
	}
}

func mustChange[Desired, Observed any](t *testing.T, c Case[Desired, Observed], desired Desired, want bool) {
	t.Helper()
	changes, err := c.Driver.Set(context.Background(), desired)
	if err != nil {
		t.Fatalf("set: %v", err)
	}
	if (changes > 0) != want {
		t.Fatalf("set made %d changes", changes)
	}
}

func mustShow[Desired, Observed any](t *testing.T, c Case[Desired, Observed], desired Desired) {
	t.Helper()
	observed, err := c.Driver.Observe(context.Background())
	if err != nil {
		t.Fatalf("observe: %v", err)
	}
	if !c.Shows(observed, desired) {
		t.Fatalf("observed %+v, desired %+v", observed, desired)
	}
}
