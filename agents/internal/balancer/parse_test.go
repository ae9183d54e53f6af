package balancer

import (
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/health"
)

func TestParseFillsInAndSorts(t *testing.T) {
	got := desired(t, config(7))
	want := Desired{On: true, Revision: 7, Engine: "auto", Services: []Service{{
		LoadBalancer: "lb_1", Exposure: "exp_1",
		Check: &health.Check{Kind: health.TCP, Interval: time.Second, Timeout: time.Second, Rise: 1, Fall: 2},
		Wanted: datapath.Service{
			Key: datapath.Key{Address: netip.MustParseAddr("192.0.2.1"), Port: 80, Protocol: datapath.TCP},
			Backends: []datapath.Backend{
				{ID: "a", Address: netip.MustParseAddr("10.0.0.1"), Port: 80, Weight: 2, State: datapath.Active, Up: true},
				{ID: "b", Address: netip.MustParseAddr("10.0.0.2"), Port: 80, Weight: 1, State: datapath.Active, Up: true},
			},
		},
	}}}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}
	if off := desired(t, &agentv1.NodeConfig{Revision: 8}); off.On || off.Equal(got) {
		t.Fatalf("off is %+v", off)
	}
}

func TestEveryErrorNamesServiceFieldAndFix(t *testing.T) {
	backend := func(change func(*agentv1.BalancerBackend)) func(*agentv1.BalancerRole) {
		return service(func(s *agentv1.BalancerService) { change(s.Backends[1]) })
	}
	check := func(change func(*agentv1.HealthCheck)) func(*agentv1.BalancerRole) {
		return service(func(s *agentv1.BalancerService) { change(s.HealthCheck) })
	}
	for _, test := range []struct {
		name  string
		spoil func(*agentv1.BalancerRole)
		want  []string
	}{
		{"engine", engineOf("warp"), []string{`engine "warp" is unknown`, "give one of tcx"}},
		{"no address", service(func(s *agentv1.BalancerService) { s.Address = "" }), []string{"without an address", "lb_1", "address is missing", "give"}},
		{"bad address", service(func(s *agentv1.BalancerService) { s.Address = "192.0.2.1/32" }), []string{"lb_1", "192.0.2.1/32", "without prefix length"}},
		{"multicast", service(func(s *agentv1.BalancerService) { s.Address = "224.0.0.1" }), []string{"224.0.0.1:80/tcp", "address", "give"}},
		{"port 0", service(func(s *agentv1.BalancerService) { s.Port = 0 }), []string{"192.0.2.1", "lb_1", "port 0", "give 1 to 65535"}},
		{"port too great", service(func(s *agentv1.BalancerService) { s.Port = 65536 }), []string{"port 65536", "give 1 to 65535"}},
		{"protocol", service(func(s *agentv1.BalancerService) { s.Protocol = "sctp" }), []string{`protocol "sctp"`, `give "tcp" or "udp"`}},
		{"state of a backend of another cluster", backend(func(b *agentv1.BalancerBackend) { b.Elsewhere = true }), []string{`state "active"`, `give "draining"`}},
		{"delivery", service(func(s *agentv1.BalancerService) { s.Delivery = "pigeon" }), []string{`delivery "pigeon"`, "give one of"}},
		{"service twice", func(r *agentv1.BalancerRole) { r.Services = append(r.Services, r.Services[0]) }, []string{"192.0.2.1 port 80/tcp", "lb_1", "twice", "give"}},
		{"PROXY protocol without a proxy", service(func(s *agentv1.BalancerService) { s.ProxyProtocol, s.Delivery = true, "direct" }), []string{"192.0.2.1:80/tcp", "PROXY"}},
		{"backend without ID", backend(func(b *agentv1.BalancerBackend) { b.Id = "" }), []string{"192.0.2.1:80/tcp", "no ID", "give"}},
		{"backend twice", backend(func(b *agentv1.BalancerBackend) { b.Id = "b" }), []string{"192.0.2.1:80/tcp", `backend "b"`, "twice"}},
		{"place twice", backend(func(b *agentv1.BalancerBackend) { b.Address = "10.0.0.2" }), []string{"192.0.2.1:80/tcp", `backend "b"`, "10.0.0.2", `as is backend "a"`, "give"}},
		{"backend is the service", backend(func(b *agentv1.BalancerBackend) { b.Address = "192.0.2.1" }), []string{`backend "a"`, "the service's own", "give"}},
		{"backend port", backend(func(b *agentv1.BalancerBackend) { b.Port = 0 }), []string{"lb_1", `backend "a"`, "port 0", "give"}},
		{"weight 0", backend(func(b *agentv1.BalancerBackend) { b.Weight = 0 }), []string{"lb_1", `backend "a"`, "weight 0", "give 1 to 256"}},
		{"weight 257", backend(func(b *agentv1.BalancerBackend) { b.Weight = 257 }), []string{"weight 257", "give 1 to 256"}},
		{"state", backend(func(b *agentv1.BalancerBackend) { b.State = "tired" }), []string{"192.0.2.1:80/tcp", `state "tired"`, "give"}},
		{"server name", backend(func(b *agentv1.BalancerBackend) { b.ServerNames = []string{"a..example"} }), []string{"lb_1", `backend "a"`, `server name "a..example"`, "give a host name"}},
		{"server name of another port", backend(func(b *agentv1.BalancerBackend) { b.ServerNames = []string{"a.example:443"} }), []string{`server name "a.example:443"`, "give a host name"}},
		{"server name that is an address", backend(func(b *agentv1.BalancerBackend) { b.ServerNames = []string{"192.0.2.7"} }), []string{`server name "192.0.2.7"`, "give a host name"}},
		{"too many server names", backend(func(b *agentv1.BalancerBackend) { b.ServerNames = make([]string, 17) }), []string{"17 server names", "at most 16"}},
		{"only one with a server name", backend(func(b *agentv1.BalancerBackend) { b.ServerNames = []string{"a.example"} }), []string{"192.0.2.1:80/tcp", `backend "b"`, "no server name", "give"}},
		{"server names without a proxy", service(func(s *agentv1.BalancerService) {
			s.Delivery, s.Backends[1].ServerNames = "direct", []string{"a.example"}
		}), []string{"192.0.2.1:80/tcp", "server names", "leave them out"}},
		{"other port, direct", func(r *agentv1.BalancerRole) {
			r.Services[0].Delivery, r.Services[0].Backends[1].Port = "direct", 81
		}, []string{"192.0.2.1:80/tcp", "port 81", "give"}},
		{"by cost, by a proxy", service(func(s *agentv1.BalancerService) { s.ByCost, s.Delivery = true, "proxy" }), []string{"192.0.2.1:80/tcp", "by cost", "give"}},
		{"by cost and by session", service(func(s *agentv1.BalancerService) {
			s.ByCost, s.Session, s.Delivery = true, &agentv1.SessionService{}, "direct"
		}), []string{"by_cost or session"}},
		{"check type", check(func(c *agentv1.HealthCheck) { c.Type = "ping" }), []string{"lb_1", "health check", `type "ping"`, "give tcp"}},
		{"check interval", check(func(c *agentv1.HealthCheck) { c.IntervalMs = 1 }), []string{"interval 1ms", "give 100ms"}},
		{"check path that is escaped wrongly", check(func(c *agentv1.HealthCheck) { c.Type, c.Path = "http", "/100%" }), []string{`path "/100%"`, "write a percent sign as %25"}},
		{"check path with a blank", check(func(c *agentv1.HealthCheck) { c.Type, c.Path = "http", "/a b" }), []string{`path "/a b"`, "leave them out"}},
		{"check path", check(func(c *agentv1.HealthCheck) { c.Type, c.Path = "http", "live" }), []string{`path "live"`, "give /live"}},
		{"check header", check(func(c *agentv1.HealthCheck) { c.Type, c.Host = "http", "a\r\nEvil: 1" }), []string{"host", "leave them out"}},
		{"check status", check(func(c *agentv1.HealthCheck) { c.Type, c.Statuses = "http", []uint32{99} }), []string{"status 99", "give 100 to 599"}},
		{"check sends nothing", check(func(c *agentv1.HealthCheck) { c.Type = "udp" }), []string{"nothing to send", "give"}},
		{"peer", func(r *agentv1.BalancerRole) {
			r.Peers = []*agentv1.BalancerPeer{{AgentId: "agent_2", Address: "peer"}}
		}, []string{`peer "agent_2"`, `address "peer"`, "give"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := rejection(config(1, test.spoil))
			if text == "" {
				t.Fatal("it was accepted")
			}
			for _, words := range test.want {
				if !strings.Contains(text, words) {
					t.Errorf("%q doesn't contain %q", text, words)
				}
			}
		})
	}
}

// rejection returns what is not used of a config, and why.
func rejection(config *agentv1.NodeConfig) string {
	parsed, err := ParseDesired(config)
	if err != nil {
		return err.Error()
	}
	all := slices.Clone(parsed.Warnings)
	for _, one := range parsed.Rejected {
		all = append(all, "Service "+one.name()+" of "+one.LoadBalancer+": "+one.Reason)
	}
	for _, one := range parsed.Services {
		if one.Invalid != "" {
			all = append(all, "Service "+one.Wanted.Key.String()+" of "+one.LoadBalancer+": "+one.Invalid)
		}
	}
	return strings.Join(all, "\n")
}

func TestServicesByCostMayHaveStandbyBackends(t *testing.T) {
	got := desired(t, config(1, service(func(s *agentv1.BalancerService) { s.ByCost, s.Backends[1].Weight = true, 0 })))
	wanted := got.Services[0].Wanted
	if wanted.Chooser != datapath.ByCost || wanted.Backends[0].Weight != 0 {
		t.Errorf("chooser %q, weight %d of the standby backend", wanted.Chooser, wanted.Backends[0].Weight)
	}
}

func TestServerNamesAreNormalized(t *testing.T) {
	got := desired(t, config(1, service(func(s *agentv1.BalancerService) {
		s.Backends[0].ServerNames = []string{"b.example"}
		s.Backends[1].ServerNames = []string{"Shop-0.Example.COM.", "a.example", "shop-0.example.com"}
	})))
	wanted := got.Services[0].Wanted
	if want := []string{"a.example", "shop-0.example.com"}; !slices.Equal(wanted.Backends[0].ServerNames, want) {
		t.Errorf("got %q, want %q", wanted.Backends[0].ServerNames, want)
	}
	if wanted.Delivery != datapath.Proxy {
		t.Errorf("delivered by %q", wanted.Delivery)
	}
	other := desired(t, config(1, service(func(s *agentv1.BalancerService) {
		s.Backends[0].ServerNames, s.Backends[1].ServerNames = []string{"b.example"}, []string{"a.example"}
	})))
	if got.Equal(other) {
		t.Error("a different name counts as equal")
	}
}

func TestNoBackendsAreValid(t *testing.T) {
	got := desired(t, config(1, service(func(s *agentv1.BalancerService) { s.Backends = nil })))
	if len(got.Services) != 1 || len(got.Services[0].Wanted.Backends) != 0 {
		t.Fatalf("got %+v", got)
	}
}

func namedBackends(s *agentv1.BalancerService) {
	for _, backend := range s.Backends {
		backend.ServerNames = []string{backend.Id + ".example"}
	}
}

// FuzzParse parses any NodeConfig.
func FuzzParse(f *testing.F) {
	for _, seed := range []*agentv1.NodeConfig{config(1), config(2, engineOf("ipvs")), config(3, service(namedBackends)), {}} {
		data, err := proto.Marshal(seed)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var config agentv1.NodeConfig
		if proto.Unmarshal(data, &config) != nil {
			return
		}
		parsed, err := ParseDesired(&config)
		if err != nil {
			return
		}
		var services []datapath.Service
		for _, service := range parsed.Services {
			if service.Invalid != "" {
				continue // no engine gets it
			}
			if service.Wanted.Delivery == "" {
				service.Wanted.Delivery = leastRestricted(service.Wanted)
			}
			services = append(services, service.Wanted)
		}
		if err := datapath.Check(services, everyDelivery); err != nil {
			t.Fatalf("an engine would reject what was accepted: %v", err)
		}
		if !parsed.Equal(parsed) {
			t.Fatal("differs from itself")
		}
	})
}
