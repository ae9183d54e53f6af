package datapath_test

import (
	"net/netip"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func TestCheckNamesWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(*datapath.Service)
		wants []string // in the error; none when the service is valid
	}{
		{"valid", func(*datapath.Service) {}, nil},
		{"no backends", func(s *datapath.Service) { s.Backends = nil }, nil},
		{"unspecified address", func(s *datapath.Service) { s.Key.Address = netip.IPv4Unspecified() }, []string{"address 0.0.0.0"}},
		{"port 0", func(s *datapath.Service) { s.Key.Port = 0 }, []string{"192.0.2.1:0/tcp", "port 0"}},
		{"unknown protocol", func(s *datapath.Service) { s.Key.Protocol = 132 }, []string{"protocol 132"}},
		{"unknown delivery", func(s *datapath.Service) { s.Delivery = "pigeon" }, []string{"192.0.2.1:80/tcp", `"pigeon"`, `"direct"`}},
		{"PROXY protocol without a proxy", func(s *datapath.Service) { s.ProxyProtocol = true }, []string{"PROXY"}},
		{"server names by a proxy", func(s *datapath.Service) {
			s.Delivery, s.Backends[0].ServerNames, s.Backends[1].ServerNames = datapath.Proxy, []string{"a.example"}, []string{"b.example"}
		}, nil},
		{"server names without a proxy", func(s *datapath.Service) { s.Backends[0].ServerNames = []string{"a.example"} }, []string{"server names", `"proxy"`}},
		{"server names of UDP", func(s *datapath.Service) {
			s.Delivery, s.Key.Protocol, s.Backends[0].ServerNames = datapath.Proxy, datapath.UDP, []string{"a.example"}
		}, []string{"server names", "TCP"}},
		{"one without a server name", func(s *datapath.Service) {
			s.Delivery, s.Backends[0].ServerNames = datapath.Proxy, []string{"a.example"}
		}, []string{`"b"`, "no server name", "give it one"}},
		{"backend without ID", func(s *datapath.Service) { s.Backends[0].ID = "" }, []string{"has no ID"}},
		{"backend twice", func(s *datapath.Service) { s.Backends[1].ID = "a" }, []string{`"a"`, "twice"}},
		{"other family", func(s *datapath.Service) { s.Backends[0].Address = netip.MustParseAddr("fd00::1") }, []string{`"a"`, "fd00::1", "family"}},
		{"other family by proxy", func(s *datapath.Service) {
			s.Delivery, s.Backends[0].Address = datapath.Proxy, netip.MustParseAddr("fd00::1")
		}, nil},
		{"other port", func(s *datapath.Service) { s.Backends[0].Port = 81 }, []string{`"a"`, "port 81", "80"}},
		{"other port with NAT", func(s *datapath.Service) { s.Delivery, s.Backends[0].Port = datapath.NAT, 81 }, nil},
		{"by session", func(s *datapath.Service) { s.Chooser = datapath.BySession }, nil},
		{"by session with a proxy", func(s *datapath.Service) { s.Delivery, s.Chooser = datapath.Proxy, datapath.BySession }, nil},
		{"by session and server name", func(s *datapath.Service) {
			s.Delivery, s.Chooser, s.Backends[0].ServerNames = datapath.Proxy, datapath.BySession, []string{"a.example"}
		}, []string{"TLS session", "server names"}},
		{"by session with NAT", func(s *datapath.Service) { s.Delivery, s.Chooser = datapath.NAT, datapath.BySession }, []string{"TLS session", `"gue"`}},
		{"by session with UDP", func(s *datapath.Service) { s.Key.Protocol, s.Chooser = datapath.UDP, datapath.BySession }, []string{"TLS session", "TCP"}},
		{"by cost with NAT", func(s *datapath.Service) { s.Delivery, s.Chooser = datapath.NAT, datapath.ByCost }, nil},
		{"by cost with UDP", func(s *datapath.Service) { s.Key.Protocol, s.Chooser = datapath.UDP, datapath.ByCost }, nil},
		{"by cost with a standby backend", func(s *datapath.Service) { s.Chooser, s.Backends[0].Weight = datapath.ByCost, 0 }, nil},
		{"by cost with a proxy", func(s *datapath.Service) { s.Delivery, s.Chooser = datapath.Proxy, datapath.ByCost }, []string{"by cost", `"proxy"`, `"nat"`}},
		{"unknown chooser", func(s *datapath.Service) { s.Chooser = "dice" }, []string{`"dice"`, `"session"`}},
		{"weight 0", func(s *datapath.Service) { s.Backends[0].Weight = 0 }, []string{`"a"`, "weight 0"}},
		{"unknown state", func(s *datapath.Service) { s.Backends[0].State = "tired" }, []string{`"a"`, `"tired"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			service := datapath.Service{
				Key: datapath.Key{Address: netip.MustParseAddr("192.0.2.1"), Port: 80, Protocol: datapath.TCP}, Delivery: datapath.Direct,
				Backends: []datapath.Backend{
					{ID: "a", Address: netip.MustParseAddr("10.0.0.1"), Port: 80, Weight: 1, State: datapath.Active, Up: true},
					{ID: "b", Address: netip.MustParseAddr("10.0.0.2"), Port: 80, Weight: 256, State: datapath.Draining},
				},
			}
			c.spoil(&service)
			err := datapath.Check([]datapath.Service{service}, []datapath.Delivery{datapath.Direct, datapath.NAT, datapath.Proxy})
			if (err != nil) != (c.wants != nil) {
				t.Fatalf("error %v", err)
			}
			for _, want := range c.wants {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q doesn't contain %q", err, want)
				}
			}
		})
	}
}
