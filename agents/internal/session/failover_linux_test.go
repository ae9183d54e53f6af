package session_test

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// lasting is a connection for many requests.
type lasting struct {
	net.Conn
	reader  *bufio.Reader
	backend string
}

// last opens connections.
func (l *lab) last(t *testing.T, family, count int) (all []*lasting) {
	t.Helper()
	for range count {
		conn, err := l.network.Client.Dial(t.Context(), "tcp", at(family))
		must(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		one := &lasting{Conn: tls.Client(conn, client(tls.VersionTLS13))}
		one.reader = bufio.NewReader(one)
		one.backend = one.get(t, l)
		all = append(all, one)
	}
	return all
}

func (c *lasting) get(t *testing.T, l *lab) string {
	t.Helper()
	must(t, c.SetDeadline(time.Now().Add(patience)))
	backend, err := get(c, c.reader, false)
	if err != nil {
		l.logCounts(t)
		t.Fatalf("a connection to %s: %v", c.backend, err)
	}
	return backend
}

func (l *lab) stay(t *testing.T, all []*lasting) {
	t.Helper()
	for _, one := range all {
		if got := one.get(t, l); got != one.backend {
			t.Fatalf("a connection to %s was answered by %s", one.backend, got)
		}
	}
}

// failOver closes the replica of all connections, and has another one continue.
func (l *lab) failOver(t *testing.T) {
	t.Helper()
	first := l.balancers[0]
	l.open(t, 1)
	l.network.RouteTo(t, 1)
	must(t, first.replica.Close())
	must(t, first.engine.Remove())
	l.balancers[0] = nil
}

// Connections continue at their backend when their replica is lost. The other one has never
// seen them.
func TestConnectionsOutliveTheirReplica(t *testing.T) {
	for _, c := range []struct {
		name, timestamps string
		change           func(*lab)
		check            func(hinted, questions, connections uint64) bool
	}{
		{"by timestamps", "1", func(*lab) {}, func(hinted, questions, connections uint64) bool {
			return hinted >= connections && questions == 0
		}},
		{"without timestamps", "0", func(*lab) {}, func(hinted, questions, connections uint64) bool {
			return hinted == 0 && questions >= connections
		}},
		{"with more backends than numbers", "1", func(l *lab) {
			for _, service := range l.sessions {
				for i := range service.Backends {
					service.Backends[i].Number = service.Backends[0].Number
				}
			}
		}, func(hinted, questions, connections uint64) bool { return hinted == 0 && questions > 0 }},
		// As after hours, when a timestamp has carried over into the upper bits.
		{"with timestamps of another backend", "1", func(l *lab) {
			for _, service := range l.sessions {
				for i := range service.Backends {
					service.Backends[i].Number = service.Backends[i].Number%3 + 1
				}
			}
		}, func(hinted, questions, connections uint64) bool { return hinted >= connections }},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLab(t, datapath.Direct, nginx)
			must(t, l.network.Client.SetSysctl("net/ipv4/tcp_timestamps", c.timestamps))
			all := append(l.last(t, 0, 10), l.last(t, 1, 10)...)
			sessions := client(tls.VersionTLS13)
			first, _, err := l.visit(0, sessions)
			must(t, err)
			c.change(l)
			l.failOver(t)
			l.stay(t, all)
			counts, err := l.balancers[1].replica.Observe()
			if err != nil || !c.check(counts.Hinted, counts.Questions, uint64(len(all))) {
				t.Errorf("%+v, %v", counts, err)
			}
			l.stay(t, all)
			if again, err := l.balancers[1].replica.Observe(); err != nil || again.Hinted != counts.Hinted || again.Questions != counts.Questions {
				t.Errorf("known connections went through the program: %+v, %v", again, err)
			}
			if again, resumed, err := l.visit(0, sessions); err != nil || again != first || !resumed {
				t.Errorf("a client of %s returned to %s, resumed: %t, %v", first, again, resumed, err)
			}
		})
	}
}

// The kernel continues without the agent, and the next agent takes over.
func TestTheKernelContinuesWithoutTheAgent(t *testing.T) {
	l := newLab(t, datapath.Direct, nginx)
	all := append(l.last(t, 0, 5), l.last(t, 1, 5)...)
	sessions := client(tls.VersionTLS13)
	first, _, err := l.visit(0, sessions)
	must(t, err)
	must(t, l.balancers[0].replica.Close())
	must(t, l.balancers[0].engine.Close())
	l.balancers[0] = nil
	check := func(when string) {
		t.Helper()
		l.stay(t, all)
		for range 3 {
			if again, resumed, err := l.visit(0, sessions); err != nil || again != first || !resumed {
				t.Fatalf("%s, a client of %s returned to %s, resumed: %t, %v", when, first, again, resumed, err)
			}
			if _, _, err := l.visit(1, client(tls.VersionTLS13)); err != nil {
				t.Fatalf("%s, a new session: %v", when, err)
			}
		}
	}
	check("without an agent")
	l.open(t, 0)
	check("with the next agent")
}

// A session id is only known to those that received it: a replica that starts requests all, and lacks none before
// it gets clients.
func TestANewReplicaKnowsTheSessionIDs(t *testing.T) {
	l := newLab(t, datapath.Direct, nginx)
	at := map[string]string{}
	for i := range 8 {
		file := fmt.Sprintf("%s/session%d", l.folder, i)
		at[file], _ = l.openssl(t, 0, "out", file)
	}
	l.open(t, 1)
	for wait := time.Now().Add(patience); len(l.balancers[1].replica.LacksIDs(l.sessions[0].Key)) > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(wait) {
			t.Fatalf("it lacks ids of %v", l.balancers[1].replica.LacksIDs(l.sessions[0].Key))
		}
	}
	l.network.RouteTo(t, 1)
	for file, first := range at {
		if again, resumed := l.openssl(t, 0, "in", file); again != first || !resumed {
			l.logCounts(t)
			t.Fatalf("a client of %s returned to %s, resumed: %t", first, again, resumed)
		}
	}
}

// An agent that starts again uses the session ids that its kernel has, before companions send them again.
func TestClientsReturnBySessionIDWhileTheAgentStarts(t *testing.T) {
	l := newLab(t, datapath.Direct, nginx)
	at := map[string]string{}
	for i := range 8 {
		file := fmt.Sprintf("%s/session%d", l.folder, i)
		at[file], _ = l.openssl(t, 0, "out", file)
	}
	must(t, l.balancers[0].replica.Close())
	must(t, l.balancers[0].engine.Close())
	rules := fmt.Sprintf("table inet mute { chain i { type filter hook input priority 0; udp dport %d drop; }; }", replicaAddress(0).Port())
	output, err := l.network.Balancers[0].Run(t.Context(), "nft", rules)
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	l.open(t, 0)
	for range 2 {
		for file, first := range at {
			if again, resumed := l.openssl(t, 0, "in", file); again != first || !resumed {
				l.logCounts(t)
				t.Fatalf("a client of %s returned to %s, resumed: %t", first, again, resumed)
			}
		}
		l.set(t, 0)
	}
	if lacks := l.balancers[0].replica.LacksIDs(l.sessions[0].Key); len(lacks) == 0 {
		t.Error("companions could send ids")
	}
}

// A handshake that one replica began can be completed by another.
func TestAnyReplicaContinuesAHandshake(t *testing.T) {
	l := newLab(t, datapath.Direct, nginx)
	for family := range addresses {
		conn, err := l.network.Client.Dial(t.Context(), "tcp", at(family))
		must(t, err)
		defer conn.Close()
		if l.balancers[1] == nil {
			l.failOver(t)
		} else {
			l.open(t, 0)
			l.network.RouteTo(t, 0)
		}
		if _, _, err := request(conn, client(tls.VersionTLS13)); err != nil {
			l.logCounts(t)
			t.Errorf("%s: %v", nameOf(family), err)
		}
	}
}

// A companion that doesn't answer may have the connection, so its client only waits.
func TestASilentCompanionEndsNoConnection(t *testing.T) {
	l := newLab(t, datapath.Direct, nginx)
	must(t, l.network.Client.SetSysctl("net/ipv4/tcp_timestamps", "0"))
	all := append(l.last(t, 0, 2), l.last(t, 1, 2)...)
	for _, c := range l.companions {
		must(t, c.Close())
	}
	l.failOver(t)
	for _, one := range all {
		_, err := io.WriteString(one, "GET / HTTP/1.1\r\nHost: "+serverName+"\r\n\r\n")
		must(t, err)
	}
	const longerThanASearch = 1500 * time.Millisecond
	must(t, all[0].SetReadDeadline(time.Now().Add(longerThanASearch)))
	if _, err := all[0].reader.Peek(1); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("while no companion answers: %v", err)
	}
	for _, host := range l.network.Backends {
		l.accompany(t, host)
	}
	l.stay(t, all)
}
