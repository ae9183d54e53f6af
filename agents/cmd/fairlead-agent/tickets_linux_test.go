package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/session/serverstest"
)

// visitor is a client with the sessions of one version.
type visitor struct {
	config *tls.Config
	home   string
}

func newVisitor(version uint16) *visitor {
	return &visitor{config: &tls.Config{
		ServerName: serverstest.ServerName, InsecureSkipVerify: true, //nolint:gosec // the certificate is the test's own
		MinVersion: version, MaxVersion: version, ClientSessionCache: tls.NewLRUClientSessionCache(4),
	}}
}

// visit is one connection with one request.
func (l *ticketLab) visit(v *visitor) (backend string, resumed bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	conn, err := l.network.Client.Dial(ctx, "tcp", ticketService+":443")
	if err != nil {
		return "", false, err
	}
	defer conn.Close()
	secured := tls.Client(conn, v.config)
	if err := secured.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		return "", false, err
	}
	if _, err := io.WriteString(secured, "GET / HTTP/1.1\r\nHost: "+serverstest.ServerName+"\r\nConnection: close\r\n\r\n"); err != nil {
		return "", false, err
	}
	response, err := http.ReadResponse(bufio.NewReader(secured), nil)
	if err != nil {
		return "", false, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return strings.TrimSpace(string(body)), secured.ConnectionState().DidResume, err
}

// crowd is visitors that return all the time.
type crowd struct {
	all    []*visitor
	stop   chan struct{}
	work   sync.WaitGroup
	rounds [2]atomic.Int64 // of each version

	mu       sync.Mutex
	returns  int
	full     map[*visitor]int // handshakes without resumption, at home
	failures []string
}

func (l *ticketLab) begin(t *testing.T) *crowd {
	t.Helper()
	c := &crowd{stop: make(chan struct{}), full: map[*visitor]int{}}
	homes := map[string]bool{}
	for _, version := range []uint16{tls.VersionTLS13, tls.VersionTLS12} {
		for range 8 {
			v := newVisitor(version)
			var err error
			if v.home, _, err = l.visit(v); err != nil {
				t.Fatalf("a new session: %v", err)
			}
			homes[v.home] = true
			c.all = append(c.all, v)
		}
	}
	if len(homes) < 2 {
		t.Fatalf("all new sessions went to %v", homes)
	}
	for i := range c.rounds {
		c.work.Go(func() { c.run(l, c.all[i*8:(i+1)*8], &c.rounds[i]) })
	}
	return c
}

func (c *crowd) run(l *ticketLab, visitors []*visitor, rounds *atomic.Int64) {
	for {
		for _, v := range visitors {
			select {
			case <-c.stop:
				return
			default:
			}
			began := time.Now()
			backend, resumed, err := l.visit(v)
			c.mu.Lock()
			c.returns++
			if err != nil || backend != v.home {
				c.failures = append(c.failures, fmt.Sprintf("%s: a client of %s reached %q, %v", began.Format(time.StampMilli), v.home, backend, err))
			} else if !resumed {
				c.full[v]++
			}
			c.mu.Unlock()
		}
		rounds.Add(1)
	}
}

// round waits until each visitor has returned at least once from now.
func (c *crowd) round(t *testing.T) {
	t.Helper()
	for i := range c.rounds {
		from := c.rounds[i].Load()
		waitFor(t, "return of all clients", func() bool { return c.rounds[i].Load() >= from+2 })
	}
}

func (c *crowd) end() {
	close(c.stop)
	c.work.Wait()
}

// stand is one kind of server.
type stand struct {
	software string
	run      func(t *testing.T, l *ticketLab, at serverstest.Place) (stop func())

	keepsTickets bool // of its former key
	crosses      bool // accepts tickets of others at run time
}

func placeOf(host *datapathtest.Host) serverstest.Place {
	return serverstest.Place{Address: netip.MustParseAddrPort("0.0.0.0:443"), Name: host.Name, Start: host.Space.StartBound, Dial: host.Space.Dial}
}

var stands = []stand{
	{"nginx", func(t *testing.T, l *ticketLab, at serverstest.Place) func() {
		folder := l.ownFolder(at.Name)
		server := serverstest.NginxAt(t, at, "include "+folder+"/*.conf;")
		var stopped atomic.Bool
		serverstest.Follow(t, filepath.Join(folder, "tickets.conf"), func() { // as a path unit of systemd does
			if !stopped.Load() {
				serverstest.ReloadNginx(t, server)
			}
		})
		return func() { stopped.Store(true); server.Stop(t) }
	}, true, true},
	{"haproxy", func(t *testing.T, l *ticketLab, at serverstest.Place) func() {
		file, key := filepath.Join(l.ownFolder(at.Name), "tickets.txt"), placeholder()
		l.unlessThere(t, file, key+"\n"+key+"\n"+key+"\n")
		server := serverstest.HAProxyAt(t, at, file, filepath.Join(l.sockets, at.Name))
		return func() { server.Stop(t) }
	}, true, false},
	{"envoy", func(t *testing.T, l *ticketLab, at serverstest.Place) func() {
		file := filepath.Join(l.ownFolder(at.Name), "tickets.json")
		l.unlessThere(t, file, `{"resources":[{"@type":"type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.Secret","name":"tickets","session_ticket_keys":{"keys":[{"inline_bytes":"`+placeholder()+`"}]}}]}`)
		server := serverstest.EnvoyAt(t, at, file, "tickets")
		return func() { server.Stop(t) }
	}, true, true},
	{"node", func(t *testing.T, l *ticketLab, at serverstest.Place) func() {
		server := serverstest.NodeAt(t, at, filepath.Join(l.ownFolder(at.Name), "tickets.key"))
		return func() { server.Stop(t) }
	}, false, false},
	{"go", func(t *testing.T, l *ticketLab, at serverstest.Place) func() {
		file := filepath.Join(l.ownFolder(at.Name), "tickets.key")
		l.unlessThere(t, file, strings.Repeat("x", 48))
		host := l.network.Backends[at.Name[0]-'a']
		application := serverstest.Go(t, listenForTLS(t, host.Space), at.Name, file)
		return func() { _ = application.Close() }
	}, true, true},
}

// unlessThere writes a file for a server's first start.
func (l *ticketLab) unlessThere(t *testing.T, path, content string) {
	t.Helper()
	if _, err := os.Stat(path); err == nil {
		return
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Clients return all the time while keys are rotated in three phases, and agents are killed in each.
func TestClientsResumeDuringARotationOfManagedKeys(t *testing.T) {
	for _, s := range stands {
		t.Run(s.software, func(t *testing.T) {
			l := newTicketLab(t, s.software)
			stops := map[string]func(){}
			for _, host := range l.network.Backends {
				stops[host.Name] = s.run(t, l, placeOf(host))
			}
			first, second := l.epochs[0], newTicketEpoch(2)
			l.set(t, first)
			for _, agent := range l.agents {
				agent.start(t)
			}
			l.replica.start(t)
			l.acknowledged(t)
			l.observed(t)

			c := l.begin(t)
			for _, phase := range []struct {
				name   string
				epochs []ticketEpoch
			}{{"adding", []ticketEpoch{first, second}}, {"switching", []ticketEpoch{second, first}}, {"dropping", []ticketEpoch{second}}} {
				l.set(t, phase.epochs...)
				for _, agent := range l.agents {
					agent.restart(t) // some before, some while they apply it
				}
				if phase.name == "switching" {
					l.replica.restart(t)
				}
				l.acknowledged(t)
				l.observed(t)
				c.round(t)
				t.Logf("%s: %d returns", phase.name, c.count())
			}
			c.end()
			s.check(t, c)

			stops["a"]()
			l.takes(t, "a", false)
			stops["a"] = s.run(t, l, placeOf(l.network.Backends[0]))
			l.takes(t, "a", true)
			l.observed(t)
			l.returnTo(t, c, "a", true)

			gone := c.all[0].home
			stops[gone]()
			l.takes(t, gone, false)
			for _, v := range c.all {
				if v.home != gone {
					continue
				}
				if backend, resumed, err := l.visit(v); err != nil || backend == gone || s.crosses && !resumed {
					t.Errorf("a client of %s, which has ended, reached %q, resumed: %t, %v", gone, backend, resumed, err)
				}
			}
			for name, agent := range l.agents {
				if printed := agent.printed.String(); strings.Contains(printed, string(first.secret[:8])) {
					t.Errorf("the agent of %s printed a secret", name)
				}
			}
		})
	}
}

func (c *crowd) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.returns
}

// check requires that all clients returned to their backend, and resumed there.
func (s stand) check(t *testing.T, c *crowd) {
	t.Helper()
	if len(c.failures) > 0 {
		t.Errorf("%d of %d returns failed: %s", len(c.failures), c.returns, strings.Join(c.failures[:min(len(c.failures), 5)], "; "))
	}
	most := 0
	if !s.keepsTickets {
		most = 1 // its key was replaced once
	}
	for v, full := range c.full {
		if full > most {
			t.Errorf("a client of %s (%s) had %d full handshakes", v.home, tls.VersionName(v.config.MaxVersion), full)
		}
	}
	if c.returns < 100 {
		t.Errorf("only %d returns", c.returns)
	}
}

// returnTo requires that the clients of a backend resume there.
func (l *ticketLab) returnTo(t *testing.T, c *crowd, home string, want bool) {
	t.Helper()
	for _, v := range slices.DeleteFunc(slices.Clone(c.all), func(v *visitor) bool { return v.home != home }) {
		if backend, resumed, err := l.visit(v); err != nil || backend != home || resumed != want {
			t.Errorf("a client of %s reached %q, resumed: %t, %v", home, backend, resumed, err)
		}
	}
}
