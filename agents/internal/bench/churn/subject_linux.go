package churn

import (
	"fmt"
	"slices"
	"strings"

	"fairlead.dev/agents/internal/bench/peer"
)

// subject carries the traffic of a scenario.
type subject struct {
	name, kind string
	lines      string // the lines this subject adds to the topology
	always     bool   // in every round: the subject with the pass criterion
}

// subjects are ours with the engine that `auto` picks, ours with nftables, and the peers.
func subjects(program string) []subject {
	all := []subject{
		{name: "Fairlead", kind: "ours", lines: "engine: auto", always: true},
		{name: "Fairlead nftables", kind: "ours", lines: "engine: nftables"},
	}
	for _, kind := range peer.Kinds {
		if !kind.HTTP { // the scenario's clients and pods send lines of text
			all = append(all, subject{name: kind.Title, kind: "peer", lines: peerLine(program, kind.Name)})
		}
	}
	return all
}

// peerLine replaces a topology's balancers by a peer, run by our program.
func peerLine(program, name string) string {
	return fmt.Sprintf(`command: [%q, peer, %s, --config, "{config}", --listen, "{listen}"]`, program, name)
}

// pick returns the named subjects.
func pick(all []subject, names []string) ([]subject, error) {
	if len(names) == 0 {
		return all, nil
	}
	var known, chosen []string
	for _, s := range all {
		known = append(known, s.name)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("there is no subject %q; give some of: %s", name, strings.Join(known, ", "))
		}
		chosen = append(chosen, name)
	}
	return slices.DeleteFunc(all, func(s subject) bool { return !slices.Contains(chosen, s.name) }), nil
}
