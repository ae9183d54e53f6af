package session_test

import (
	"crypto/tls"
	"fmt"
	"net"
	"regexp"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
)

var servers = []struct {
	name  string
	start func(*testing.T, *lab, *datapathtest.Host)
}{{"nginx", nginx}, {"haproxy", haproxy}, {"node", node}, {"go", golang}}

func TestClientsReturnToTheirBackend(t *testing.T) {
	for _, server := range servers {
		t.Run(server.name, func(t *testing.T) {
			l := newLab(t, datapath.Direct, server.start)
			for family := range addresses {
				t.Run(nameOf(family)+" by key", func(t *testing.T) { l.returns(t, family, tls.VersionTLS13, 8, 3) })
				t.Run(nameOf(family)+" by ticket", func(t *testing.T) { l.returns(t, family, tls.VersionTLS12, 8, 3) })
			}
		})
	}
}

func TestClientsReturnThroughTunnels(t *testing.T) {
	for _, delivery := range []datapath.Delivery{datapath.Tunnel, datapath.GUE} {
		t.Run(string(delivery), func(t *testing.T) {
			l := newLab(t, delivery, nginx)
			for family := range addresses {
				l.returns(t, family, tls.VersionTLS13, 8, 3)
			}
		})
	}
}

var (
	reused  = regexp.MustCompile(`(?m)^Reused, `)
	backend = regexp.MustCompile(`(?m)^([abc])\r?$`)
)

// openssl resumes TLS 1.2 sessions by their ids alone, which Go's client can't.
func (l *lab) openssl(t *testing.T, family int, session, file string) (string, bool) {
	t.Helper()
	script := fmt.Sprintf(`printf 'GET / HTTP/1.0\r\n\r\n' | timeout 20 openssl s_client -connect %s -tls1_2 -no_ticket -servername %s -ign_eof -sess_%s %s 2>&1`, at(family), serverName, session, file)
	output, err := l.network.Client.Run(t.Context(), "sh", "-c", script)
	found := backend.FindStringSubmatch(output)
	if err != nil || found == nil {
		l.logCounts(t)
		t.Fatalf("%v: %s", err, output)
	}
	return found[1], reused.MatchString(output)
}

func TestClientsReturnBySessionID(t *testing.T) {
	newLab(t, datapath.Direct, nginx).returnByID(t)
}

// Clients may return before the replica has the id.
func TestClientsReturnByAnIDThatOnlyTheCompanionHas(t *testing.T) {
	l := newLab(t, datapath.Direct, nginx)
	for host, c := range l.companions {
		services := l.accompanied(host)
		for i := range services {
			services[i].Replicas = nil // it sends new ids to none
		}
		must(t, c.Set(services))
	}
	l.returnByID(t)
}

func (l *lab) returnByID(t *testing.T) {
	t.Helper()
	for i := range 16 {
		family := i % 2
		file := fmt.Sprintf("%s/session%d", l.folder, i)
		first, _ := l.openssl(t, family, "out", file)
		for range 2 {
			if again, resumed := l.openssl(t, family, "in", file); again != first || !resumed {
				l.logCounts(t)
				t.Fatalf("a client of %s returned to %s, resumed: %t", first, again, resumed)
			}
		}
	}
	if counts, err := l.balancers[0].replica.Observe(); err != nil || counts.ByID < 32 || counts.ByKey+counts.ByTicket != 0 {
		t.Errorf("%+v, %v", counts, err)
	}
}

// pieces sends the first write in several segments.
type pieces struct {
	net.Conn
	left  int
	pause time.Duration
}

func (p *pieces) Write(data []byte) (int, error) {
	all := len(data)
	for ; p.left > 1 && len(data) > 1; p.left-- {
		size := max(1, len(data)/p.left)
		if _, err := p.Conn.Write(data[:size]); err != nil {
			return 0, err
		}
		data = data[size:]
		time.Sleep(p.pause)
	}
	p.left = 1
	if _, err := p.Conn.Write(data); err != nil {
		return 0, err
	}
	return all, nil
}

// visitIn is visit with a hello in this many segments.
func (l *lab) visitIn(t *testing.T, family, segments int, config *tls.Config) (string, bool, error) {
	t.Helper()
	conn, err := l.network.Client.Dial(t.Context(), "tcp", at(family))
	if err != nil {
		return "", false, err
	}
	defer conn.Close()
	return request(&pieces{conn, segments, time.Millisecond}, config)
}

func TestClientsReturnWithTheirHelloInParts(t *testing.T) {
	l := newLab(t, datapath.Direct, nginx)
	for _, timestamps := range []string{"1", "0"} {
		must(t, l.network.Client.SetSysctl("net/ipv4/tcp_timestamps", timestamps))
		for family := range addresses {
			for _, segments := range []int{1, 2, 5} {
				t.Run(fmt.Sprintf("%s, timestamps %s, %d segments", nameOf(family), timestamps, segments), func(t *testing.T) {
					for range 6 {
						config := client(tls.VersionTLS13)
						first, _, err := l.visitIn(t, family, segments, config)
						if err != nil {
							l.logCounts(t)
							t.Fatalf("a new session: %v", err)
						}
						for range 2 {
							if again, resumed, err := l.visitIn(t, family, segments, config); err != nil || again != first || !resumed {
								l.logCounts(t)
								t.Fatalf("a client of %s returned to %s, resumed: %t, %v", first, again, resumed, err)
							}
						}
					}
				})
			}
		}
	}
	if counts, err := l.balancers[0].replica.Observe(); err != nil || counts.Parts < 100 {
		t.Errorf("the hellos came whole: %+v, %v", counts, err)
	}
}

// A large hello needs several packets of its own.
func TestALargeHelloIsJoined(t *testing.T) {
	l := newLab(t, datapath.Direct, golang)
	for family := range addresses {
		config := client(tls.VersionTLS13)
		for i := range 30 {
			config.NextProtos = append(config.NextProtos, strings.Repeat("x", 200)+fmt.Sprint(i))
		}
		config.NextProtos = append(config.NextProtos, "http/1.1")
		first, _, err := l.visit(family, config)
		must(t, err)
		for range 3 {
			if again, resumed, err := l.visit(family, config); err != nil || again != first || !resumed {
				l.logCounts(t)
				t.Fatalf("%s: a client of %s returned to %s, resumed: %t, %v", nameOf(family), first, again, resumed, err)
			}
		}
	}
}
