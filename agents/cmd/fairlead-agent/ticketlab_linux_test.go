package main

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"

	"fairlead.dev/agents/internal/backend"
	"fairlead.dev/agents/internal/balancer"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/pins"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

const ticketService = "192.0.2.1"

// ticketEpoch is one secret of all servers.
type ticketEpoch struct {
	number uint64
	secret []byte
}

func newTicketEpoch(number uint64) ticketEpoch {
	secret := make([]byte, 64)
	_, _ = rand.Read(secret)
	return ticketEpoch{number, secret}
}

func (e ticketEpoch) name(server string) []byte { return fmt.Appendf(nil, "%-15s%d", server, e.number) }

// ticketLab has three servers with managed keys, an agent process next to each, and a replica in front.
type ticketLab struct {
	network  *datapathtest.Network
	software string
	folder   string
	sockets  string
	revision uint64
	epochs   []ticketEpoch // servers encrypt with the first one
	agents   map[string]*process
	replica  *process
}

// process is an agent that is started again with the same config and state.
type process struct {
	name, role, folder, pages string
	space                     *netspace.Space // nil: the test's own
	arguments                 []string
	command                   *exec.Cmd
	printed                   transcript
}

func newTicketLab(t *testing.T, software string) *ticketLab {
	t.Helper()
	privileged.Need(t)
	l := &ticketLab{
		network: datapathtest.NewNetwork(t, false), software: software, folder: t.TempDir(), sockets: t.TempDir(),
		epochs: []ticketEpoch{newTicketEpoch(1)}, agents: map[string]*process{},
	}
	for _, host := range l.network.Backends {
		if err := os.Mkdir(l.ownFolder(host.Name), 0o700); err != nil {
			t.Fatal(err)
		}
		l.agents[host.Name] = newProcess(t, "backend", host.Space.Name, nil, "--namespaces="+filepath.Join(netspace.Folder, host.Space.Name),
			fmt.Sprintf("--metrics-listen=127.0.0.1:%d", freeAt(t, "127.0.0.1")))
	}
	space := l.network.Balancers[0]
	l.replica = newProcess(t, "balancer", space.Name, space, "--interface="+datapathtest.Interface, "--flows-listen=off", "--metrics-listen=127.0.0.1:9101")
	return l
}

// ownFolder is where a server reads its keys.
func (l *ticketLab) ownFolder(host string) string { return filepath.Join(l.folder, host) }

func newProcess(t *testing.T, role, name string, space *netspace.Space, arguments ...string) *process {
	t.Helper()
	p := &process{name: name, role: role, folder: t.TempDir(), space: space}
	p.pages = "http://" + strings.TrimPrefix(arguments[len(arguments)-1], "--metrics-listen=")
	p.arguments = append([]string{role, "--config=" + filepath.Join(p.folder, "config.json"), "--state=" + filepath.Join(p.folder, "state"), "--node-name=" + name}, arguments...)
	t.Cleanup(func() {
		if p.command != nil {
			p.kill()
		}
		for _, folder := range []string{backend.PinsOf(replicaName(name)), pins.Folder(balancer.RoleName, datapath.Options{Name: replicaName(name)})} {
			_ = os.RemoveAll(folder)
		}
		if t.Failed() {
			t.Logf("output of %s:\n%s", name, p.printed.String())
		}
	})
	return p
}

func (p *process) start(t *testing.T) {
	t.Helper()
	p.command = exec.Command("/proc/self/exe", p.arguments...)
	p.command.Env = append(os.Environ(), asAgent+"=yes")
	p.command.Stdout, p.command.Stderr = &p.printed, &p.printed
	start := p.command.Start
	if p.space != nil {
		start = func() error { return p.space.StartBound(p.command) }
	}
	if err := start(); err != nil {
		t.Fatal(err)
	}
}

// kill ends it without a chance to tidy up.
func (p *process) kill() {
	_ = p.command.Process.Signal(syscall.SIGKILL)
	_ = p.command.Wait()
	p.command = nil
}

func (p *process) restart(t *testing.T) {
	t.Helper()
	p.kill()
	p.start(t)
}

func (p *process) configure(t *testing.T, config *agentv1.NodeConfig) {
	t.Helper()
	config.ReportIntervalMs = 500
	text, err := protojson.Marshal(config)
	path := filepath.Join(p.folder, "config.json")
	if err == nil {
		err = os.WriteFile(path+".new", text, 0o600)
	}
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// status is its newest report; empty while it has none.
func (p *process) status() *agentv1.ReportRequest {
	report := &agentv1.ReportRequest{}
	transport := &http.Transport{DisableKeepAlives: true}
	if p.space != nil {
		transport.DialContext = p.space.Dial
	}
	response, err := (&http.Client{Transport: transport}).Get(p.pages + "/status")
	if err != nil {
		return report
	}
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); err != nil || protojson.Unmarshal(body, report) != nil {
		return &agentv1.ReportRequest{}
	}
	return report
}

// set gives all agents these epochs.
func (l *ticketLab) set(t *testing.T, epochs ...ticketEpoch) {
	t.Helper()
	l.revision, l.epochs = l.revision+1, epochs
	secret := []byte(strings.Repeat("0123456789abcdef", 4))
	service := &agentv1.BalancerService{
		LoadBalancerId: "lb_1", ExposureId: "exp_1", Address: ticketService, Port: 443, Protocol: "tcp", Delivery: "direct",
		Session:     &agentv1.SessionService{Keys: &agentv1.SessionKeys{Current: secret}, Names: "managed", TicketRevision: l.revision},
		HealthCheck: &agentv1.HealthCheck{Type: "tcp", IntervalMs: 500, TimeoutMs: 5000, Rise: 1, Fall: 2},
	}
	for i, host := range l.network.Backends {
		one := &agentv1.BackendServer{
			BackendId: host.Name, LoadBalancerId: "lb_1", Instance: host.Name, OwnAddress: host.IPv4.String(), Address: ticketService, Port: 443,
			Number: uint32(i + 1), Keys: &agentv1.SessionKeys{Current: secret}, Replicas: []string{"10.77.0.2:7447"},
			TicketKeys: &agentv1.TicketKeys{Revision: l.revision, Software: l.software, Folder: l.folder + "/{instance}", Keys: l.keysOf(host.Name)},
		}
		if l.software == "haproxy" {
			one.TicketKeys.Socket = l.sockets + "/{instance}"
		}
		l.agents[host.Name].configure(t, &agentv1.NodeConfig{Backend: &agentv1.BackendRole{Servers: []*agentv1.BackendServer{one}}})
		session := &agentv1.SessionBackend{Number: uint32(i + 1), Companion: netip.AddrPortFrom(host.IPv4, 7446).String()}
		for _, epoch := range epochs {
			session.TicketNames = append(session.TicketNames, epoch.name(host.Name))
		}
		service.Backends = append(service.Backends, &agentv1.BalancerBackend{Id: host.Name, Address: host.IPv4.String(), Port: 443, Weight: 1, State: "active", Session: session})
	}
	l.replica.configure(t, &agentv1.NodeConfig{Balancer: &agentv1.BalancerRole{Engine: "tcx", Services: []*agentv1.BalancerService{service}}})
}

// keysOf returns a server's keys, as the control plane orders them.
func (l *ticketLab) keysOf(server string) (all []*agentv1.TicketKey) {
	add := func(epoch ticketEpoch, of string) {
		all = append(all, &agentv1.TicketKey{Name: epoch.name(of), Secret: epoch.secret, Epoch: epoch.number, Server: of})
	}
	for _, epoch := range l.epochs {
		add(epoch, server)
	}
	for _, epoch := range l.epochs {
		for _, host := range l.network.Backends {
			if host.Name != server {
				add(epoch, host.Name)
			}
		}
	}
	return all
}

// acknowledged waits until all agents have applied the newest revision.
func (l *ticketLab) acknowledged(t *testing.T) {
	t.Helper()
	waitFor(t, fmt.Sprintf("revision %d of all agents", l.revision), func() bool {
		for _, agent := range l.agents {
			servers := agent.status().GetBackend().GetServers()
			if len(servers) != 1 || servers[0].GetTicketRevision() != l.revision || !servers[0].GetReady() {
				return false
			}
		}
		return l.session().GetTicketRevision() == l.revision
	})
}

// session is how the replica places connections.
func (l *ticketLab) session() *agentv1.SessionStatus {
	services := l.replica.status().GetBalancer().GetServices()
	if len(services) != 1 {
		return nil
	}
	return services[0].GetSession()
}

// observed waits until the replica has seen that servers encrypt with their first key.
func (l *ticketLab) observed(t *testing.T) {
	t.Helper()
	waitFor(t, fmt.Sprintf("tickets with epoch %d of all servers", l.epochs[0].number), func() bool {
		backends := l.session().GetBackends()
		for _, one := range backends {
			if len(one.GetNames()) == 0 || string(one.GetNames()[0].GetName()) != string(l.epochs[0].name(one.GetId())) || one.GetMessage() != "" {
				return false
			}
		}
		return len(backends) == 3
	})
}

// takes waits until the replica sends clients of sessions to a backend, or not.
func (l *ticketLab) takes(t *testing.T, id string, want bool) {
	t.Helper()
	waitFor(t, fmt.Sprintf("backend %s takes connections: %t", id, want), func() bool {
		for _, one := range l.session().GetBackends() {
			if one.GetId() == id {
				return one.GetTakes() == want
			}
		}
		return false
	})
}

// placeholder is a random key, with which servers start that can't without one.
func placeholder() string {
	key := make([]byte, 80)
	_, _ = rand.Read(key)
	return base64.StdEncoding.EncodeToString(key)
}

func listenForTLS(t *testing.T, space *netspace.Space) (listener net.Listener) {
	t.Helper()
	config := net.ListenConfig{}
	config.SetMultipathTCP(false)
	err := space.Do(func() (err error) {
		listener, err = config.Listen(t.Context(), "tcp4", ":443")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return listener
}
