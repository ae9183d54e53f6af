package adaptive

import (
	"encoding/json"
	"slices"
	"time"
)

// WhatIf is a change of the lab: what agents reported before it, and what was measured before and after it. The benchmark's
// runner compares the latter with what the control plane predicts from the former.
type WhatIf struct {
	Round    int      `json:"round"`
	Scenario string   `json:"scenario"`
	Change   Change   `json:"change"`
	Reports  []Report `json:"reports"`
	Before   Turn     `json:"before"`
	After    Turn     `json:"after"`
}

// Report is the status of a node's agent at the end of what was measured.
type Report struct {
	NodeID string          `json:"nodeId"`
	Status json.RawMessage `json:"status"` // an agentv1.AdaptiveStatus
}

// Change is in the format of the API for predictions.
type Change struct {
	RoundTripMs float64         `json:"roundTripMs,omitempty"` // between all nodes; 0: as before
	Slowed      []SlowedNode    `json:"slowed,omitempty"`
	Instances   []NodeInstances `json:"instances,omitempty"`
}

// SlowedNode takes so many times as long for requests.
type SlowedNode struct {
	NodeID string  `json:"nodeId"`
	Times  float64 `json:"times"`
}

// NodeInstances are those of a node.
type NodeInstances struct {
	NodeID string `json:"nodeId"`
	Count  int    `json:"count"`
}

// whatIfs are all changes, each with the scenario that is changed. Their names are those of scenarios too.
var whatIfs = []struct {
	Scenario
	Change
}{
	{Scenario{Name: "what if: 18 ms in place of 3 ms", Delay: short, Shares: skewed, Load: 0.6}, Change{RoundTripMs: float64(long / time.Millisecond)}},
	{Scenario{Name: "what if: 3 ms in place of 18 ms", Delay: long, Shares: skewed, Load: 0.6}, Change{RoundTripMs: float64(short / time.Millisecond)}},
	{Scenario{Name: "what if: a slow node", Delay: short, Shares: even, Load: 0.5}, Change{Slowed: []SlowedNode{{nameOf(0), slowBy}}}},
	{Scenario{Name: "what if: a node without an instance", Delay: short, Shares: even, Load: 0.5}, Change{Instances: []NodeInstances{{nameOf(0), 0}}}},
}

// chosenWhatIfs returns the places of those with the names, and the other names; all without names.
func chosenWhatIfs(names []string) (chosen []int, others []string) {
	for i := range whatIfs {
		if len(names) == 0 || slices.Contains(names, whatIfs[i].Name) {
			chosen = append(chosen, i)
		}
	}
	return chosen, slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.ContainsFunc(chosen, func(i int) bool { return whatIfs[i].Name == name })
	})
}
