package signals

import (
	"net/netip"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func TestAnInvalidConfigIsOneClearError(t *testing.T) {
	service := func(number uint16, cores float64, port uint16, backends ...string) Service {
		s := Service{Number: number, Cores: cores, Key: datapath.Key{Address: netip.MustParseAddr("192.0.2.1"), Port: port, Protocol: datapath.TCP}}
		for _, backend := range backends {
			s.Backends = append(s.Backends, netip.MustParseAddrPort(backend))
		}
		return s
	}
	node := func(number uint32, prefix string) Node {
		return Node{Number: number, Prefixes: []netip.Prefix{netip.MustParsePrefix(prefix)}}
	}
	for _, test := range []struct {
		name   string
		config Config
		want   string
	}{
		{"valid", Config{Services: []Service{service(1, 0.5, 80, "10.0.0.1:80", "10.0.0.1:81"), service(4095, 1, 81, "[fd00::1]:80")}, Nodes: []Node{node(1, "10.0.0.0/8")}}, ""},
		{"number 0", Config{Services: []Service{service(0, 1, 80)}}, "service 192.0.2.1:80 has the number 0: give 1 to 4095"},
		{"number too high", Config{Services: []Service{service(4096, 1, 80)}}, "has the number 4096: give 1 to 4095"},
		{"same number", Config{Services: []Service{service(1, 1, 80), service(1, 1, 81)}}, "services 192.0.2.1:80 and 192.0.2.1:81 both have the number 1"},
		{"no cores", Config{Services: []Service{service(1, 0, 80)}}, "has 0 cores: give more than 0"},
		{"same backend", Config{Services: []Service{service(1, 1, 80, "10.0.0.1:80"), service(2, 1, 81, "[::ffff:10.0.0.1]:80")}}, "backend 10.0.0.1:80 is of services 1 and 2"},
		{"node 0", Config{Nodes: []Node{node(0, "10.0.0.0/8")}}, "the number 0, which is for unknown nodes"},
		{"same prefix", Config{Nodes: []Node{node(1, "10.0.0.0/8"), node(2, "10.1.0.0/8")}}, "is of nodes 1 and 2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := test.config.Check()
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}
