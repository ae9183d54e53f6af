package adaptive

import (
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/adaptive/mesh"
	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/health"
)

// validConfig has one service with a backend at this node and a standby one at a peer.
func validConfig() *agentv1.AdaptiveRole {
	return &agentv1.AdaptiveRole{
		NodeId: "nod_1", Prefixes: []string{"10.244.1.7/24"}, Cores: 2, Keys: &agentv1.MeshKeys{Current: []byte(strings.Repeat("k", 32))},
		Peers: []*agentv1.AdaptivePeer{{AgentId: "agt_2", NodeId: "nod_2", Address: "10.0.0.2:7448", Prefixes: []string{"10.244.2.0/24"}}},
		Services: []*agentv1.AdaptiveService{{
			LoadBalancerId: "lb_1", ExposureId: "exp_1", Address: "10.96.0.10", Port: 80, Protocol: "tcp",
			HealthCheck: &agentv1.HealthCheck{Type: "tcp"}, EndsConnections: true,
			Backends: []*agentv1.AdaptiveBackend{
				{Id: "b", Address: "10.244.2.2", Port: 8080, Weight: 0, State: "active", NodeId: "nod_2"},
				{Id: "a", Address: "10.244.1.2", Port: 8080, Weight: 2, State: "draining", NodeId: "nod_1"},
			},
		}},
	}
}

func parse(t *testing.T, role *agentv1.AdaptiveRole) Desired {
	t.Helper()
	desired, err := ParseDesired(&agentv1.NodeConfig{Adaptive: role})
	if err != nil {
		t.Fatal(err)
	}
	return desired
}

func validService() Service {
	return Service{
		LoadBalancer: "lb_1", Exposure: "exp_1", EndsConnections: true,
		Key:   datapath.Key{Address: netip.MustParseAddr("10.96.0.10"), Port: 80, Protocol: datapath.TCP},
		Check: &health.Check{Kind: health.TCP, Interval: 2 * time.Second, Timeout: time.Second, Rise: 2, Fall: 3},
		Backends: []Backend{
			{ID: "a", Node: "nod_1", Address: netip.MustParseAddrPort("10.244.1.2:8080"), Weight: 2, State: datapath.Draining},
			{ID: "b", Node: "nod_2", Address: netip.MustParseAddrPort("10.244.2.2:8080"), State: datapath.Active},
		},
	}
}

func TestParseSortsAndFillsIn(t *testing.T) {
	got := parse(t, validConfig())
	want := Desired{
		On: true, Node: "nod_1", Prefixes: []netip.Prefix{netip.MustParsePrefix("10.244.1.0/24")}, Cores: 2,
		Peers: []Peer{{
			Agent: "agt_2", Node: "nod_2", Address: netip.MustParseAddrPort("10.0.0.2:7448"), Prefixes: []netip.Prefix{netip.MustParsePrefix("10.244.2.0/24")},
		}},
		Services: []Service{validService()},
	}
	copy(want.Keys.Current[:], strings.Repeat("k", mesh.KeyBytes))
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if off, err := ParseDesired(&agentv1.NodeConfig{}); err != nil || off.On {
		t.Errorf("off is %+v (%v)", off, err)
	}
}

func TestAnInvalidServiceIsListedWithFieldAndFix(t *testing.T) {
	backend := func(change func(*agentv1.AdaptiveBackend)) func(*agentv1.AdaptiveService) {
		return func(s *agentv1.AdaptiveService) { change(s.Backends[0]) }
	}
	for _, test := range []struct {
		spoil func(*agentv1.AdaptiveService)
		want  []string
	}{
		{func(s *agentv1.AdaptiveService) { s.LoadBalancerId = "" }, []string{"load balancer's ID", "give 1 to 253"}},
		{func(s *agentv1.AdaptiveService) { s.Address = "10.96.0.10/32" }, []string{`"10.96.0.10/32"`, "without prefix length"}},
		{func(s *agentv1.AdaptiveService) { s.Address = "224.0.0.1" }, []string{"224.0.0.1", "give one unicast"}},
		{func(s *agentv1.AdaptiveService) { s.Port = 0 }, []string{"port 0", "give 1 to 65535"}},
		{func(s *agentv1.AdaptiveService) { s.Protocol = "sctp" }, []string{`"sctp"`, `give "tcp" or "udp"`}},
		{func(s *agentv1.AdaptiveService) { s.HealthCheck.Type = "ping" }, []string{"health check", `"ping"`, "give tcp"}},
		{backend(func(b *agentv1.AdaptiveBackend) { b.NodeId = "" }), []string{`backend "b"`, "node_id is missing", "give"}},
		{backend(func(b *agentv1.AdaptiveBackend) { b.Address = "fd00::1" }), []string{`backend "b"`, "another IP version"}},
		{backend(func(b *agentv1.AdaptiveBackend) { b.Address = "10.96.0.10" }), []string{`backend "b"`, "the service's own"}},
		{backend(func(b *agentv1.AdaptiveBackend) { b.Port = 70000 }), []string{`backend "b"`, "port 70000", "give 1 to 65535"}},
		{backend(func(b *agentv1.AdaptiveBackend) { b.Weight = 257 }), []string{`backend "b"`, "weight 257", "give up to 256"}},
		{backend(func(b *agentv1.AdaptiveBackend) { b.State = "up" }), []string{`backend "b"`, `state "up"`, `give "active"`}},
		{backend(func(b *agentv1.AdaptiveBackend) { b.Id = "a" }), []string{`backend "a"`, "defined twice"}},
		{backend(func(b *agentv1.AdaptiveBackend) { b.Address = "10.244.1.2" }), []string{"10.244.1.2:8080", `backend "b"`, "give each place once"}},
	} {
		role := validConfig()
		other := validConfig().Services[0]
		other.Address, other.Backends = "10.96.0.11", nil
		role.Services = append(role.Services, other)
		test.spoil(role.Services[0])
		got := parse(t, role)
		if len(got.Services) != 1 || got.Services[0].Key.Address.String() != other.Address || len(got.Rejected) != 1 {
			t.Errorf("%v: %+v", test.want, got)
			continue
		}
		for _, part := range test.want {
			if !strings.Contains(got.Rejected[0].Reason, part) {
				t.Errorf("%q has no %q", got.Rejected[0].Reason, part)
			}
		}
	}
}

func TestABackendIsOfOneServiceOnlyAndAllNodesRejectTheSameOne(t *testing.T) {
	for _, isReversed := range []bool{false, true} {
		role := validConfig()
		other := validConfig().Services[0]
		other.Address = "10.96.0.11"
		role.Services = append(role.Services, other)
		if isReversed {
			slices.Reverse(role.Services)
		}
		got := parse(t, role)
		if len(got.Services) != 1 || got.Services[0].Key.Address.String() != "10.96.0.10" || len(got.Rejected) != 1 ||
			!strings.Contains(got.Rejected[0].Reason, "is of service 10.96.0.10:80/tcp and of this one, "+got.Rejected[0].Key.String()) ||
			!strings.Contains(got.Rejected[0].Reason, "give each service its own port of the backend") {
			t.Errorf("%+v", got)
		}
	}
}

func TestAServiceWithAnInvalidSpecContinuesAsBefore(t *testing.T) {
	before := parse(t, validConfig())
	role := validConfig()
	role.Services[0].Backends[0].Weight = 1000
	got := parse(t, role).after(before)
	if !reflect.DeepEqual(got.Services, before.Services) || len(got.Rejected) != 0 ||
		!strings.Contains(got.Former[before.Services[0].Key], "continues as before") {
		t.Errorf("%+v", got)
	}
	if got := parse(t, role).after(Desired{}); len(got.Services) != 0 || len(got.Rejected) != 1 {
		t.Errorf("without a former spec: %+v", got)
	}

	// Another service has its backends now.
	valid := validConfig().Services[0]
	valid.Address = "10.96.0.9"
	role.Services = append(role.Services, valid)
	if got := parse(t, role).after(before); len(got.Services) != 1 || len(got.Rejected) != 1 {
		t.Errorf("%+v", got)
	}
}

func TestAnInvalidPeerIsLeftOutWithAWarning(t *testing.T) {
	for _, test := range []struct {
		spoil func(*agentv1.AdaptivePeer)
		want  string
	}{
		{func(p *agentv1.AdaptivePeer) { p.NodeId = "" }, "give 1 to 253"},
		{func(p *agentv1.AdaptivePeer) { p.NodeId = "nod_1" }, "given twice"},
		{func(p *agentv1.AdaptivePeer) { p.Address = "10.0.0.2" }, "as in 10.0.0.2:7448"},
		{func(p *agentv1.AdaptivePeer) { p.Address = "0.0.0.0:7448" }, "as in 10.0.0.2:7448"},
		{func(p *agentv1.AdaptivePeer) { p.Prefixes = []string{"10.244.1.9/24"} }, "of node nod_1 too"},
		{func(p *agentv1.AdaptivePeer) { p.Prefixes = []string{"10.244.2.0"} }, "as in 10.244.1.0/24"},
	} {
		role := validConfig()
		test.spoil(role.Peers[0])
		got := parse(t, role)
		if len(got.Peers) != 0 || len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], test.want) {
			t.Errorf("%s: %+v", test.want, got)
		}
	}
}

func TestAConfigWithoutWhatAllServicesNeedIsRejected(t *testing.T) {
	for _, test := range []struct {
		spoil func(*agentv1.AdaptiveRole)
		want  string
	}{
		{func(r *agentv1.AdaptiveRole) { r.NodeId = "" }, "node_id"},
		{func(r *agentv1.AdaptiveRole) { r.Cores = -1 }, "cores -1"},
		{func(r *agentv1.AdaptiveRole) { r.Keys.Current = []byte("short") }, "5 bytes; give 32"},
		{func(r *agentv1.AdaptiveRole) { r.Keys = nil }, "keys are missing"},
		{func(r *agentv1.AdaptiveRole) { r.Prefixes = []string{"x"} }, `prefix "x"`},
	} {
		role := validConfig()
		test.spoil(role)
		if _, err := ParseDesired(&agentv1.NodeConfig{Adaptive: role}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.want, err)
		}
	}
}
