package adaptive

import (
	"fmt"
	"slices"
	"strings"
)

// Ours is the strategy `adaptive`, of the agent's role.
const Ours = "adaptive"

const (
	random           = "random"
	roundRobin       = "round robin"
	sameNode         = "PreferSameNode"
	leastConnections = "least connections"
	iptables         = "iptables random"
	rapText          = "RAP, text"
	rapPseudocode    = "RAP, pseudo-code"
)

// subjects are all that can be compared.
var subjects = []string{
	Ours, random, roundRobin, sameNode, leastConnections, iptables, rapText, rapPseudocode,
	"IPVS rr", "IPVS lc", "IPVS dh", "IPVS sh", "IPVS sed", "IPVS nq",
}

// chosenSubjects returns those with the names; all without names.
func chosenSubjects(names []string) (chosen []string, err error) {
	if len(names) == 0 {
		return subjects, nil
	}
	for _, name := range names {
		if !slices.Contains(subjects, name) {
			return nil, fmt.Errorf("there is no subject %q; give some of: %s", name, strings.Join(subjects, "; "))
		}
	}
	return names, nil
}
