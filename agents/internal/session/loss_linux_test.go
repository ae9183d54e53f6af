package session_test

import (
	"crypto/tls"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

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

// The client no longer has what the replica acknowledged. Its hello is lost on the way to the backend.
func TestAnAcknowledgedHelloIsSentAgain(t *testing.T) {
	l := newLab(t, datapath.Direct, nginx)
	for _, timestamps := range []string{"1", "0"} {
		must(t, l.network.Client.SetSysctl("net/ipv4/tcp_timestamps", timestamps))
		for family := range addresses {
			for _, lost := range []int{1, 2, 3} { // the first part; both; and the first once more
				l.loseFirst(t, "balancer1", "", lost)
				conn, err := l.network.Client.Dial(t.Context(), "tcp", at(family))
				must(t, err)
				defer conn.Close()
				const longerThanARetransmission = 700 * time.Millisecond // of the first part, which is acknowledged then
				if _, _, err := request(&pieces{conn, 2, longerThanARetransmission}, client(tls.VersionTLS13)); err != nil {
					l.logCounts(t)
					t.Fatalf("%s, timestamps %s, %d packets lost: %v", nameOf(family), timestamps, lost, err)
				}
				l.lost(t, lost)
			}
		}
	}
}

// The first part of a hello is lost twice. Without timestamps, the second one looks like a packet of a connection
// that began elsewhere, which no backend has.
func TestAHelloWhoseFirstPartIsLostTwiceIsNotReset(t *testing.T) {
	l := newLab(t, datapath.Direct, nginx)
	must(t, l.network.Client.SetSysctl("net/ipv4/tcp_timestamps", "0"))
	for family, route := range [][]string{{"-4", "10.76.0.1"}, {"-6", "fd76::1"}} {
		// With the usual 200 ms, a client sends its hello a third time before any search ends.
		_, err := l.network.Client.Run(t.Context(), "ip", route[0], "route", "replace", "default", "via", route[1], "rto_min", "400ms")
		must(t, err)
		const tlsHandshake = "@th,160,24 0x160301" // after 20 bytes of TCP
		l.loseFirst(t, "client", tlsHandshake, 2)
		if _, _, err := l.visitIn(t, family, 2, client(tls.VersionTLS13)); err != nil {
			l.logCounts(t)
			t.Errorf("%s: %v", nameOf(family), err)
		}
		l.lost(t, 2)
	}
}

// loseFirst drops the first packets of this number that match, of those to the service that arrive at an interface
// of the router.
func (l *lab) loseFirst(t *testing.T, at, matching string, count int) {
	t.Helper()
	l.router(t, fmt.Sprintf(`table netdev first; delete table netdev first; table netdev first { chain f { type filter hook ingress device %q priority 0; tcp dport %d %s numgen inc mod 1000000 < %d counter drop; }; }`, at, port, matching, count))
}

// lost requires that loseFirst dropped its packets: otherwise nothing was tested.
func (l *lab) lost(t *testing.T, count int) {
	t.Helper()
	if output := l.router(t, "list table netdev first"); !strings.Contains(output, fmt.Sprintf("counter packets %d ", count)) {
		t.Fatalf("not %d packets were lost: %s", count, output)
	}
}

// router runs nft at the router.
func (l *lab) router(t *testing.T, rules string) string {
	t.Helper()
	output, err := l.network.Router.Run(t.Context(), "nft", rules)
	must(t, err)
	return output
}

// lose drops one of this many packets, to and from the client. Never two in a row, because TCP waits longer each
// time: for this reason, packets between the hosts behind the router aren't among them, although some kernels
// pass those to nft, too.
func (l *lab) lose(t *testing.T, each int) {
	t.Helper()
	for _, setting := range []string{"net/bridge/bridge-nf-call-iptables", "net/bridge/bridge-nf-call-ip6tables"} {
		if err := l.network.Router.SetSysctl(setting, "0"); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
	rules := fmt.Sprintf("table ip6 l { chain f { type filter hook forward priority 0; numgen inc mod %[1]d == 3 drop; }; }; table ip l { chain f { type filter hook forward priority 0; numgen inc mod %[1]d == 3 drop; }; }", each)
	l.router(t, rules)
}
