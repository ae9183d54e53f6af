package session_test

import (
	"crypto/tls"
	"fmt"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// Packets are lost in both directions, also parts of hellos.
func TestHellosSurviveLoss(t *testing.T) {
	l := newLab(t, datapath.Direct, nginx)
	l.lose(t, 11)
	for _, timestamps := range []string{"1", "0"} {
		must(t, l.network.Client.SetSysctl("net/ipv4/tcp_timestamps", timestamps))
		for family := range addresses {
			for range 8 {
				config := client(tls.VersionTLS13)
				first, _, err := l.visitIn(t, family, 4, config)
				if err != nil {
					l.logCounts(t)
					t.Fatalf("timestamps %s, a new session: %v", timestamps, err)
				}
				if again, resumed, err := l.visitIn(t, family, 4, config); err != nil || again != first || !resumed {
					l.logCounts(t)
					t.Fatalf("timestamps %s, a client of %s returned to %s, resumed: %t, %v", timestamps, first, again, resumed, err)
				}
			}
		}
	}
}

// lose drops one of this many packets, to and from the client.
func (l *lab) lose(t *testing.T, each int) {
	t.Helper()
	rules := fmt.Sprintf("table ip6 l { chain f { type filter hook forward priority 0; numgen inc mod %[1]d == 3 drop; }; }; table ip l { chain f { type filter hook forward priority 0; numgen inc mod %[1]d == 3 drop; }; }", each)
	_, err := l.network.Router.Run(t.Context(), "nft", rules)
	must(t, err)
}
