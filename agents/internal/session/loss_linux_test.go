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
	for family := range addresses {
		for range 12 {
			config := client(tls.VersionTLS13)
			first, _, err := l.visitIn(t, family, 4, config)
			if err != nil {
				l.logCounts(t)
				t.Fatalf("a new session: %v", err)
			}
			if again, resumed, err := l.visitIn(t, family, 4, config); err != nil || again != first || !resumed {
				l.logCounts(t)
				t.Fatalf("a client of %s returned to %s, resumed: %t, %v", first, again, resumed, err)
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
