package balancer

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/bpftest"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/flows"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/health"
	"fairlead.dev/agents/internal/privileged"
	"fairlead.dev/agents/internal/session/companion"
	"fairlead.dev/agents/internal/session/cookie"
	"fairlead.dev/agents/internal/session/names"
)

const (
	labPort       = 443
	companionPort = 7446
	labPatience   = 20 * time.Second // a busy machine, and SYNs that are lost
)

var (
	labAddresses = []netip.Addr{netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("2001:db8::1")}
	labReplicas  = []netip.AddrPort{netip.MustParseAddrPort("10.77.0.2:7447"), netip.MustParseAddrPort("[fd77::2]:7447")}
)

// sessionLab is a service with three TLS servers behind the driver of one replica.
type sessionLab struct {
	network     *datapathtest.Network
	folder      string
	family      int
	key         datapath.Key
	config      *agentv1.NodeConfig
	companions  map[string]*companion.Companion
	servers     map[string]*http.Server
	certificate tls.Certificate
	log         lockedBuffer

	mu     sync.Mutex // held by whoever acts as the loop
	driver *Driver    // nil while the agent is down
	loop   sync.WaitGroup
	stop   chan struct{}
}

// lockedBuffer is what the agent logged.
type lockedBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// newSessionLab starts everything but the driver, for one family: 0 is IPv4, 1 is IPv6.
func newSessionLab(t *testing.T, family int) *sessionLab {
	t.Helper()
	privileged.Need(t)
	l := &sessionLab{
		network: datapathtest.NewNetwork(t, false), folder: t.TempDir(), companions: map[string]*companion.Companion{}, servers: map[string]*http.Server{}, certificate: certify(t),
		key: datapath.Key{Address: labAddresses[family], Port: labPort, Protocol: datapath.TCP}, family: family,
	}
	service := &agentv1.BalancerService{
		LoadBalancerId: "lb_1", ExposureId: "exp_1", Address: l.key.Address.String(), Port: labPort, Protocol: "tcp", Delivery: "direct",
		Session:     &agentv1.SessionService{Keys: &agentv1.SessionKeys{Current: secret}, Names: "learned", Ids: true, ServerNames: []string{"session.test"}},
		HealthCheck: &agentv1.HealthCheck{Type: "tcp", IntervalMs: 500, TimeoutMs: 5000, Rise: 1, Fall: 2},
	}
	for i, host := range l.network.Backends {
		l.servers[host.Name] = serveTLS(t, host, l.certificate)
		l.accompany(t, host)
		service.Backends = append(service.Backends, &agentv1.BalancerBackend{
			Id: host.Name, Address: l.addressOf(host).String(), Port: labPort, Weight: 1, State: "active",
			Session: &agentv1.SessionBackend{Number: uint32(i + 1), Companion: netip.AddrPortFrom(l.addressOf(host), companionPort).String()},
		})
	}
	l.config = &agentv1.NodeConfig{Revision: 1, Balancer: &agentv1.BalancerRole{Engine: "tcx", Services: []*agentv1.BalancerService{service}}}
	t.Cleanup(func() {
		l.close(t)
		if t.Failed() {
			t.Logf("the agent logged:\n%s", l.log.String())
		}
	})
	return l
}

func (l *sessionLab) addressOf(host *datapathtest.Host) netip.Addr {
	return []netip.Addr{host.IPv4, host.IPv6}[l.family]
}

// accompany starts a host's companion.
func (l *sessionLab) accompany(t *testing.T, host *datapathtest.Host) {
	t.Helper()
	keys, err := cookie.Unpack(secret, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = host.Space.Do(func() error {
		if err := companion.Preflight(); err != nil {
			return err
		}
		c, err := companion.Open(datapathtest.Interface, netip.AddrPortFrom(l.addressOf(host), companionPort))
		if err != nil {
			return err
		}
		t.Cleanup(func() { _ = c.Close() })
		l.companions[host.Name] = c
		return c.Set([]companion.Service{{
			Address: netip.AddrPortFrom(l.key.Address, labPort), Backend: host.Name, Number: host.Name[0] - 'a' + 1, Keys: keys,
			Replicas: []netip.AddrPort{labReplicas[l.family]},
		}})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// start starts the driver with the config, as a restarted agent does.
func (l *sessionLab) start(t *testing.T) {
	t.Helper()
	space := l.network.Balancers[0]
	log := slog.New(slog.NewTextHandler(&l.log, nil))
	l.driver = NewDriver(Options{
		Candidates: Candidates(), StateFolder: l.folder, Log: log, Flows: flows.Options{},
		Engine:     datapath.Options{Interface: datapathtest.Interface, Name: space.Name, StateFolder: bpftest.StateFolder, Connections: 4096},
		Probe:      health.Prober{Dial: space.Dial}.Probe,
		ProbeNames: names.Prober{Dial: space.Dial}.Probe,
	})
	l.stop = make(chan struct{})
	l.set(t)
	driver, stop := l.driver, l.stop
	l.loop.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-driver.wake:
				_ = l.act(func() error { _, err := driver.Woken(context.Background()); return err })
			}
		}
	})
}

// act does what the agent's loop does, in the replica's namespace.
func (l *sessionLab) act(do func() error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.network.Balancers[0].Do(do)
}

// set applies the config.
func (l *sessionLab) set(t *testing.T) {
	t.Helper()
	l.config.Revision++
	spec, err := l.driver.parse(l.config)
	if err == nil {
		err = l.act(func() error { _, err := l.driver.Set(t.Context(), spec); return err })
	}
	if err != nil {
		t.Fatal(err)
	}
}

// observe returns the report about the service.
func (l *sessionLab) observe(t *testing.T) (status *agentv1.BalancerServiceStatus, observed Observed) {
	t.Helper()
	err := l.act(func() (err error) {
		observed, err = l.driver.Observe(t.Context())
		return err
	})
	if err != nil || len(observed.Status.GetServices()) != 1 {
		t.Fatalf("observed %v, %v", observed.Status, err)
	}
	return observed.Status.GetServices()[0], observed
}

// close ends the driver; the kernel continues.
func (l *sessionLab) close(t *testing.T) {
	t.Helper()
	if l.driver == nil {
		return
	}
	close(l.stop)
	l.loop.Wait()
	if err := l.act(l.driver.Close); err != nil {
		t.Error(err)
	}
	l.driver = nil
}

// restart is as when the agent's process is replaced.
func (l *sessionLab) restart(t *testing.T) {
	t.Helper()
	l.close(t)
	l.start(t)
}

// learned waits until the names of these many backends are known.
func (l *sessionLab) learned(t *testing.T, count int) {
	t.Helper()
	for deadline := time.Now().Add(labPatience); ; time.Sleep(20 * time.Millisecond) {
		status, _ := l.observe(t)
		stable := 0
		for _, backend := range status.GetSession().GetBackends() {
			if backend.GetTickets() == "stable" && len(backend.GetNames()) > 0 {
				stable++
			}
		}
		if stable == count {
			_ = l.act(func() error { _, err := l.driver.Woken(t.Context()); return err })
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d backends have names: %v", stable, count, status)
		}
	}
}

func certify(t *testing.T) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"session.test"}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// serveTLS starts a server whose tickets begin with its own name. All have the same secret.
func serveTLS(t *testing.T, host *datapathtest.Host, certificate tls.Certificate) *http.Server {
	t.Helper()
	sealing, name := &tls.Config{}, []byte("backend "+host.Name+" 000000")
	sealing.SetSessionTicketKeys([][32]byte{{1, 2, 3}})
	config := &tls.Config{
		Certificates: []tls.Certificate{certificate},
		WrapSession: func(state tls.ConnectionState, session *tls.SessionState) ([]byte, error) {
			ticket, err := sealing.EncryptTicket(state, session)
			return slices.Concat(name, ticket), err
		},
		UnwrapSession: func(ticket []byte, state tls.ConnectionState) (*tls.SessionState, error) {
			return sealing.DecryptTicket(ticket[min(len(ticket), len(name)):], state)
		},
	}
	listening := net.ListenConfig{}
	listening.SetMultipathTCP(false)
	var listener net.Listener
	err := host.Space.Do(func() (err error) {
		listener, err = listening.Listen(t.Context(), "tcp", fmt.Sprintf(":%d", labPort))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{
		ReadHeaderTimeout: labPatience, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, host.Name) }),
	}
	go func() { _ = server.Serve(tls.NewListener(listener, config)) }()
	t.Cleanup(func() { _ = server.Close() })
	return server
}

// client has the sessions of one client.
func client(version uint16) *tls.Config {
	return &tls.Config{
		ServerName: "session.test", InsecureSkipVerify: true, //nolint:gosec // the certificate is the test's own
		MinVersion: version, MaxVersion: version, ClientSessionCache: tls.NewLRUClientSessionCache(4),
	}
}

// lasting is a connection for many requests.
type lasting struct {
	*tls.Conn
	reader  *bufio.Reader
	backend string
}

func (l *sessionLab) connect(config *tls.Config) (*lasting, error) {
	ctx, cancel := context.WithTimeout(context.Background(), labPatience)
	defer cancel()
	conn, err := l.network.Client.Dial(ctx, "tcp", netip.AddrPortFrom(l.key.Address, labPort).String())
	if err != nil {
		return nil, err
	}
	one := &lasting{Conn: tls.Client(conn, config)}
	one.reader = bufio.NewReader(one.Conn)
	if one.backend, err = one.get(); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return one, nil
}

// get returns the name of the backend that answers.
func (c *lasting) get() (string, error) {
	if err := c.SetDeadline(time.Now().Add(labPatience)); err != nil {
		return "", err
	}
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: session.test\r\n\r\n"); err != nil {
		return "", err
	}
	response, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return string(body), err
}

// visit is one connection with one request.
func (l *sessionLab) visit(t *testing.T, config *tls.Config) (backend string, resumed bool) {
	t.Helper()
	one, err := l.connect(config)
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	return one.backend, one.ConnectionState().DidResume
}

// returns lets clients begin sessions, and return. Each must resume at its own backend.
func (l *sessionLab) returns(t *testing.T, version uint16, clients, times int) {
	t.Helper()
	backends := map[string]int{}
	for range clients {
		config := client(version)
		first, _ := l.visit(t, config)
		backends[first]++
		for range times {
			if again, resumed := l.visit(t, config); again != first || !resumed {
				t.Fatalf("a client of %s returned to %s, resumed: %t", first, again, resumed)
			}
		}
	}
	if len(backends) < 2 {
		t.Errorf("all new sessions went to %v", backends)
	}
}

// stay requires that connections are answered by their backend.
func stay(t *testing.T, when string, all []*lasting) {
	t.Helper()
	for _, one := range all {
		if got, err := one.get(); err != nil || got != one.backend {
			t.Fatalf("%s: a connection to %s was answered by %q, %v", when, one.backend, got, err)
		}
	}
}

// open opens connections, which the test closes.
func (l *sessionLab) open(t *testing.T, count int) (all []*lasting) {
	t.Helper()
	for range count {
		one, err := l.connect(client(tls.VersionTLS13))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = one.Close() })
		all = append(all, one)
	}
	return all
}
