package balancer

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
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
	"fairlead.dev/agents/internal/tlstest"
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

	mu     sync.Mutex // held by what acts as the loop
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
		network: datapathtest.NewNetwork(t, false), folder: t.TempDir(), companions: map[string]*companion.Companion{}, servers: map[string]*http.Server{}, certificate: tlstest.Certificate(t, "session.test"),
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
		if err := os.RemoveAll(filepath.Join(bpftest.StateFolder, l.network.Balancers[0].Name)); err != nil {
			t.Error(err)
		}
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
		Engine:     datapath.Options{Interface: datapathtest.Interface, Name: space.Name, StateFolder: bpftest.StateFolder, Connections: 4096, Dial: space.Dial},
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
