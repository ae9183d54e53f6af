package balancer

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/configfile"
	"fairlead.dev/agents/internal/flows"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/health"
	"fairlead.dev/agents/internal/netspace"
)

const (
	replicaVariable = "FAIRLEAD_TEST_REPLICA" // "name folder"; the process then runs as a replica
	replicaPages    = "127.0.0.1:9100"
	replicaFlows    = 7444
)

// Two whole agents with the kernel's data path, each a process in a namespace of its own.
// A connection to a filling backend is where no table would place it; then the replica
// that knows it is killed.
func TestAConnectionSurvivesTheReplicaThatPlacedItWhileBackendsChange(t *testing.T) {
	if runAsReplicaIfRequested(t) {
		return
	}
	network := datapathtest.NewNetwork(t, false)
	key := datapath.Key{Address: netip.MustParseAddr("192.0.2.1"), Port: datapathtest.ServicePorts[0], Protocol: datapath.TCP}
	role := fillingRole(network, key)
	role.Peers = []*agentv1.BalancerPeer{{AgentId: "first", Address: addressIn(t, network.Balancers[0])}}

	first := startReplica(t, network.Balancers[0], &agentv1.BalancerRole{Engine: role.Engine, Services: role.Services})
	client := datapathtest.Client{Space: network.Client}
	opened := map[string][]*datapathtest.Conn{}
	for range 60 {
		conn, err := client.Connect(key)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(conn.Close)
		answer, err := conn.Request()
		if err != nil {
			t.Fatal(err)
		}
		opened[answer.Backend] = append(opened[answer.Backend], conn)
	}
	if len(opened["c"]) == 0 {
		t.Fatal("of 60 connections none went to the backend that is filling")
	}

	startReplica(t, network.Balancers[1], role) // is ready only when it has received the first's flows
	_ = first.Process.Kill()
	network.RouteTo(t, 1)
	for backend, conns := range opened {
		for _, conn := range conns {
			if answer, err := conn.Request(); err != nil || answer.Backend != backend {
				t.Errorf("a connection to %s: answered by %q, %v", backend, answer.Backend, err)
			}
		}
	}
	t.Logf("%d, %d and %d connections to a, b and c", len(opened["a"]), len(opened["b"]), len(opened["c"]))
}

// fillingRole returns a service whose third backend is filling.
func fillingRole(network *datapathtest.Network, key datapath.Key) *agentv1.BalancerRole {
	role := &agentv1.BalancerRole{Engine: "tcx", Services: []*agentv1.BalancerService{{
		LoadBalancerId: "lb_1", Address: key.Address.String(), Port: uint32(key.Port), Protocol: "tcp",
	}}}
	for _, host := range network.Backends {
		state := map[string]string{"c": "filling"}[host.Name]
		if state == "" {
			state = "active"
		}
		role.Services[0].Backends = append(role.Services[0].Backends, &agentv1.BalancerBackend{
			Id: host.Name, Address: host.IPv4.String(), Port: uint32(key.Port), Weight: 1, State: state,
		})
	}
	return role
}

func runAsReplicaIfRequested(t *testing.T) bool {
	name, folder, requested := strings.Cut(os.Getenv(replicaVariable), " ")
	if requested {
		runAsReplica(t, name, folder)
	}
	return requested
}

// startReplica starts this test binary as an agent inside the namespace, and waits until
// it is ready.
func startReplica(t *testing.T, space *netspace.Space, role *agentv1.BalancerRole) *exec.Cmd {
	t.Helper()
	return startReplicaIn(t, space, t.TempDir(), role)
}

// writeConfig replaces the config of the replica of a folder.
func writeConfig(t *testing.T, folder string, revision uint64, role *agentv1.BalancerRole) {
	t.Helper()
	data, err := protojson.Marshal(&agentv1.NodeConfig{Revision: revision, Balancer: role})
	if err != nil {
		t.Fatal(err)
	}
	next := filepath.Join(folder, "next.json")
	if err := os.WriteFile(next, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(next, filepath.Join(folder, "config.json")); err != nil {
		t.Fatal(err)
	}
}

func startReplicaIn(t *testing.T, space *netspace.Space, folder string, role *agentv1.BalancerRole) *exec.Cmd {
	t.Helper()
	writeConfig(t, folder, 1, role)
	var printed strings.Builder
	command := exec.Command("/proc/self/exe", "-test.run=^"+t.Name()+"$")
	command.Env = append(os.Environ(), replicaVariable+"="+space.Name+" "+folder)
	command.Stdout, command.Stderr = &printed, &printed
	if err := space.Start(command); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
		_ = os.RemoveAll(filepath.Join("/sys/fs/bpf/fairlead", space.Name))
		if t.Failed() {
			t.Logf("%s printed:\n%s", space.Name, printed.String())
		}
	})
	pages := &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			return space.Dial(ctx, network, address)
		},
	}}
	status := ""
	for deadline := time.Now().Add(time.Minute); !strings.HasPrefix(status, "200"); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s isn't ready: %s", space.Name, status)
		}
		response, err := pages.Get("http://" + replicaPages + "/readyz")
		if err != nil {
			status = err.Error()
			continue
		}
		body, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		status = fmt.Sprintf("%d %s", response.StatusCode, body)
	}
	return command
}

// runAsReplica runs the whole role until the process is killed.
func runAsReplica(t *testing.T, name, folder string) {
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	driver := NewDriver(Options{
		Candidates: Candidates(), StateFolder: folder, Log: log, Probe: health.Prober{}.Probe,
		Engine: datapath.Options{Interface: datapathtest.Interface, Name: name},
		Flows:  flows.Options{Listen: flows.At(fmt.Sprintf("%s:%d", HostOf(datapathtest.Interface), replicaFlows)), Log: log},
	})
	link := &agent.ObservedLink{Link: configfile.New(filepath.Join(folder, "config.json"), log)}
	mux := http.NewServeMux()
	for path, page := range driver.Pages(link) {
		mux.Handle(path, page)
	}
	go func() { _ = http.ListenAndServe(replicaPages, mux) }()
	if err := agent.Run(t.Context(), agent.Options{Link: link, StateFolder: folder, Log: log}, NewRole(driver)); err != nil {
		t.Fatal(err)
	}
}

func addressIn(t *testing.T, space *netspace.Space) string {
	t.Helper()
	var host string
	if err := space.Do(func() error { host = HostOf(datapathtest.Interface); return nil }); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s:%d", host, replicaFlows)
}
