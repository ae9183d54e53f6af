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
	lines      string // that make the topology its own
	needs      string // a program that has to be there
}

// subjects are ours by the engine that `auto` picks, ours by nftables, and the peers.
func subjects(program string) []subject {
	all := []subject{
		{name: "Fairlead", kind: "ours", lines: "engine: auto"},
		{name: "Fairlead nftables", kind: "ours", lines: "engine: nftables"},
	}
	titles := map[string]string{"haproxy": "HAProxy tcp", "nginx": "nginx stream", "nftables": "nftables DNAT"}
	programs := map[string]string{"haproxy": "/usr/sbin/haproxy", "nginx": "/usr/lib/nginx/modules/ngx_stream_module.so", "nftables": "/usr/sbin/nft"}
	for _, name := range peer.Names() {
		all = append(all, subject{titles[name], "peer", peerLine(program, name), programs[name]})
	}
	return all
}

func peerLine(program, name string) string {
	return fmt.Sprintf(`command: [%q, peer, %s, --config, "{config}", --listen, "{listen}"]`, program, name)
}

// pick keeps the named ones.
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
