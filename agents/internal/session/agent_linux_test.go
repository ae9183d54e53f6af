package session_test

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
	"google.golang.org/protobuf/encoding/protojson"

	backendrole "fairlead.dev/agents/internal/backend"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/session/cookie"
)

const (
	agentPort  = 7446 // of all companions of an agent
	agentPages = "127.0.0.1:9101"
)

// agent is the process of an agent of the role backend, in the namespace of the router.
type agent struct {
	lab     *lab
	program string
	folder  string
	command *exec.Cmd
	key     []byte // of the exposure
	log     *os.File
}

// newAgent builds the agent.
func newAgent(t *testing.T, l *lab) *agent {
	t.Helper()
	a := &agent{lab: l, folder: t.TempDir(), key: make([]byte, 64)}
	a.program = filepath.Join(a.folder, "fairlead-agent")
	output, err := exec.Command("go", "build", "-trimpath", "-o", a.program, "../../cmd/fairlead-agent").CombinedOutput()
	if err != nil {
		t.Fatalf("build the agent: %v\n%s", err, output)
	}
	for i := range a.key {
		a.key[i] = byte(i + 1)
	}
	a.log, err = os.Create(filepath.Join(a.folder, "log"))
	must(t, err)
	t.Cleanup(func() {
		if a.command != nil {
			a.kill(t)
		}
		_ = a.log.Close()
		if t.Failed() {
			text, _ := os.ReadFile(a.log.Name())
			t.Logf("log of the agent:\n%s", text)
		}
	})
	return a
}

// configure writes the agent's config, with the servers of these hosts.
func (a *agent) configure(t *testing.T, revision uint64, hosts ...*datapathtest.Host) {
	t.Helper()
	config := &agentv1.NodeConfig{Revision: revision, ReportIntervalMs: 1000, Backend: &agentv1.BackendRole{}}
	for _, host := range hosts {
		for family, own := range []netip.Addr{host.IPv4, host.IPv6} {
			config.Backend.Servers = append(config.Backend.Servers, &agentv1.BackendServer{
				BackendId: host.Name, LoadBalancerId: fmt.Sprintf("lb_%d", family), Instance: host.Name, OwnAddress: own.String(),
				Address: addresses[family].String(), Port: port, Number: uint32(host.Name[0] - 'a' + 1),
				Keys: &agentv1.SessionKeys{Current: a.key}, Replicas: []string{replicaAddress(0).String()},
			})
		}
	}
	data, err := protojson.Marshal(config)
	must(t, err)
	path := filepath.Join(a.folder, "config.json")
	must(t, os.WriteFile(path+".new", data, 0o600))
	must(t, os.Rename(path+".new", path))
}

// useKey makes replicas use the agent's keys and companions.
func (a *agent) useKey(t *testing.T) {
	t.Helper()
	keys, err := cookie.Unpack(a.key, nil)
	must(t, err)
	a.lab.keys = keys
	for i := range a.lab.sessions {
		a.lab.sessions[i].Keys = keys
		for j, host := range a.lab.network.Backends {
			a.lab.sessions[i].Backends[j].Companion = netip.AddrPortFrom(host.IPv4, agentPort)
		}
	}
}

func (a *agent) start(t *testing.T) {
	t.Helper()
	first := a.lab.network.Backends[0]
	pattern := "/run/netns/" + strings.TrimSuffix(first.Space.Name, first.Name) + "*"
	a.command = exec.Command(a.program, "backend", "--config="+filepath.Join(a.folder, "config.json"), "--state="+filepath.Join(a.folder, "state"),
		"--node-name=test", "--replica="+a.lab.network.Router.Name, "--namespaces="+pattern, "--metrics-listen="+agentPages)
	a.command.Stdout, a.command.Stderr = a.log, a.log
	must(t, a.lab.network.Router.StartBound(a.command))
}

func (a *agent) kill(t *testing.T) {
	t.Helper()
	must(t, a.command.Process.Kill())
	_ = a.command.Wait() // killed
	a.command = nil
}

func (a *agent) page(t *testing.T, path string) string {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: a.lab.network.Router.Dial}, Timeout: patience}
	response, err := client.Get("http://" + agentPages + path)
	if err != nil {
		return err.Error()
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	must(t, err)
	return strings.ReplaceAll(string(body), " ", "")
}

// isReady waits until this many servers are ready.
func (a *agent) isReady(t *testing.T, servers int) {
	t.Helper()
	var page string
	for deadline := time.Now().Add(2 * patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if page = a.page(t, "/status"); strings.Count(page, `"ready":true`) == servers && strings.Count(page, `"backendId"`) == servers {
			return
		}
	}
	t.Fatalf("not %d servers are ready: %s", servers, page)
}

// disown removes the service addresses, which the agent has to add.
func disown(t *testing.T, host *datapathtest.Host) {
	t.Helper()
	links := host.Space.Links()
	for _, prefix := range []string{"192.0.2.0/24", "2001:db8::/64"} {
		to, err := netlink.ParseIPNet(prefix)
		must(t, err)
		must(t, links.RouteDel(&netlink.Route{Dst: to, LinkIndex: 1, Type: unix.RTN_LOCAL, Table: unix.RT_TABLE_LOCAL, Scope: netlink.SCOPE_HOST}))
	}
}

// A replica, servers as they are, and the real agent next to them, which is killed and started again.
func TestServersTakeConnectionsWithAnAgent(t *testing.T) {
	l := newServers(t, datapath.Direct, nginx)
	a := newAgent(t, l)
	a.useKey(t)
	for _, host := range l.network.Backends {
		disown(t, host)
	}
	a.configure(t, 1, l.network.Backends...)
	a.start(t)
	a.isReady(t, 6)
	l.open(t, 0)
	for family := range addresses {
		l.returns(t, family, tls.VersionTLS13, 8, 2)
	}
	all := append(l.last(t, 0, 6), l.last(t, 1, 6)...)

	visits := l.visitAlong(t)
	a.kill(t)
	visits.more(t, 20)
	l.stay(t, all)
	for family := range addresses {
		l.returns(t, family, tls.VersionTLS13, 6, 2)
	}
	a.start(t)
	a.isReady(t, 6)
	visits.more(t, 20)
	visits.end(t)
	l.stay(t, all)
	for deadline := time.Now().Add(patience); !strings.Contains(a.page(t, "/metrics"), `fairlead_backend_session_accepted_per_second{backend="a",load_balancer="lb_0"}`); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("no rate on the page\n%s", a.page(t, "/metrics"))
		}
	}
	if page := a.page(t, "/metrics"); strings.Contains(page, `fairlead_companion_accepted_total{companion="10.77.0.11:7446"}0`) {
		t.Errorf("the counts began again:\n%s", page)
	}

	// The last server leaves the config, and others continue.
	gone := l.network.Backends[2]
	l.change(t, gone.Name, func(b *datapath.Backend) { b.State = datapath.Inactive }, false)
	a.configure(t, 2, l.network.Backends[:2]...)
	a.isReady(t, 4)
	if output, err := gone.Space.Run(t.Context(), "ip", "address", "show", "dev", "lo"); err != nil || strings.Contains(output, addresses[0].String()) || strings.Contains(output, addresses[1].String()) {
		t.Errorf("the removed server has: %s, %v", output, err)
	}
	for family := range addresses {
		l.returns(t, family, tls.VersionTLS13, 8, 2)
	}
	a.configure(t, 3)
	a.isReady(t, 0)
	if left, err := os.ReadDir(backendrole.PinsOf(a.lab.network.Router.Name)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("after all servers were removed, these are pinned: %v, %v", left, err)
	}
}

// visits are connections that begin one after the other.
type visits struct {
	mutex sync.Mutex
	count int
	err   error
	stop  chan struct{}
	ended chan struct{}
}

func (l *lab) visitAlong(t *testing.T) *visits {
	v := &visits{stop: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		defer close(v.ended)
		for i := 0; ; i++ {
			select {
			case <-v.stop:
				return
			default:
			}
			_, _, err := l.visit(i%2, client(tls.VersionTLS13))
			v.mutex.Lock()
			v.count++
			if err != nil && v.err == nil {
				v.err = fmt.Errorf("visit %d: %w", i, err)
			}
			v.mutex.Unlock()
		}
	}()
	t.Cleanup(func() { v.end(t) })
	return v
}

// more waits for more visits, and checks all.
func (v *visits) more(t *testing.T, count int) {
	t.Helper()
	read := func() (int, error) {
		v.mutex.Lock()
		defer v.mutex.Unlock()
		return v.count, v.err
	}
	before, _ := read()
	for deadline := time.Now().Add(2 * patience); ; time.Sleep(10 * time.Millisecond) {
		now, err := read()
		must(t, err)
		if now >= before+count {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d visits instead of %d", now-before, count)
		}
	}
}

func (v *visits) end(t *testing.T) {
	t.Helper()
	select {
	case <-v.ended:
		return
	default:
		close(v.stop)
		<-v.ended
	}
	if v.err != nil {
		t.Error(v.err)
	}
}
