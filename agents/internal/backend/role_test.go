package backend

import (
	"fmt"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/session/cookie"
)

// sessionKeys are as the control plane derives them.
func sessionKeys() []byte { return slices.Repeat([]byte{7}, 64) }

func server(change func(*agentv1.BackendServer)) *agentv1.BackendServer {
	one := &agentv1.BackendServer{
		BackendId: "bk_1", LoadBalancerId: "lb_1", ExposureId: "exp_1", Instance: "web-1", OwnAddress: "10.9.0.1",
		Address: "192.0.2.1", Port: 443, Number: 3, Keys: &agentv1.SessionKeys{Current: sessionKeys()},
		Replicas: []string{"10.9.0.3:7447", "10.9.0.2:7447", "[::ffff:10.9.0.3]:7447"},
	}
	if change != nil {
		change(one)
	}
	return one
}

func configOf(servers ...*agentv1.BackendServer) *agentv1.NodeConfig {
	return &agentv1.NodeConfig{Revision: 1, Backend: &agentv1.BackendRole{Servers: servers}}
}

func TestAConfigIsParsed(t *testing.T) {
	if desired, err := ParseDesired(&agentv1.NodeConfig{}); err != nil || desired.On {
		t.Errorf("without the role: %+v, %v", desired, err)
	}
	got, err := ParseDesired(configOf(server(func(s *agentv1.BackendServer) { s.OwnAddress, s.TicketSeconds = "fd09::1", 3600 }), server(nil)))
	if err != nil {
		t.Fatal(err)
	}
	keys, err := cookie.Unpack(sessionKeys(), nil)
	if err != nil {
		t.Fatal(err)
	}
	first := Server{
		Backend: "bk_1", LoadBalancer: "lb_1", Instance: "web-1", Own: netip.MustParseAddr("10.9.0.1"),
		Service: netip.MustParseAddrPort("192.0.2.1:443"), Number: 3, Keys: keys,
		Replicas: []netip.AddrPort{netip.MustParseAddrPort("10.9.0.2:7447"), netip.MustParseAddrPort("10.9.0.3:7447")},
	}
	second := first
	second.Own, second.Lifetime = netip.MustParseAddr("fd09::1"), time.Hour
	if want := (Desired{On: true, Servers: []Server{first, second}}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestAnErrorNamesTheServerAndTheCure(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*agentv1.BackendServer)
		want   string
	}{
		"no ID":           {func(s *agentv1.BackendServer) { s.BackendId = "" }, `server "number 1" of load balancer lb_1: the backend's ID is missing`},
		"no own address":  {func(s *agentv1.BackendServer) { s.OwnAddress = "" }, `server "bk_1" of load balancer lb_1: the own address is missing; give one`},
		"no address":      {func(s *agentv1.BackendServer) { s.Address = "192.0.2.0/24" }, `the address "192.0.2.0/24" is invalid; give one`},
		"its own address": {func(s *agentv1.BackendServer) { s.Address = "10.9.0.1" }, "address 10.9.0.1 is the instance's own; give"},
		"no port":         {func(s *agentv1.BackendServer) { s.Port = 0 }, "port 0 can't be connected to; give 1 to 65535"},
		"a high port":     {func(s *agentv1.BackendServer) { s.Port = 65536 }, "port 65536 can't be connected to"},
		"no number":       {func(s *agentv1.BackendServer) { s.Number = 0 }, "number 0 is out of range; give 1 to 127"},
		"a high number":   {func(s *agentv1.BackendServer) { s.Number = 128 }, "number 128 is out of range"},
		"no keys":         {func(s *agentv1.BackendServer) { s.Keys = nil }, "the keys have 0 and 0 bytes; give 64 each"},
		"a long name":     {func(s *agentv1.BackendServer) { s.Instance = strings.Repeat("x", 254) }, "an ID or name of 254 bytes is too long; give at most 253"},
		"a wrong replica": {func(s *agentv1.BackendServer) { s.Replicas = []string{"10.9.0.2"} }, `the replica "10.9.0.2" is invalid; give an IP address and a port`},
		"long sessions":   {func(s *agentv1.BackendServer) { s.TicketSeconds = 604801 }, "ticket_seconds 604801 is too long; give at most 604800"},
		"any replica":     {func(s *agentv1.BackendServer) { s.Replicas = []string{"0.0.0.0:7447"} }, `the replica "0.0.0.0:7447" is invalid`},
	} {
		why := rejection(t, configOf(server(c.change)))
		if !strings.Contains(why, c.want) {
			t.Errorf("%s: %s, want %q", name, why, c.want)
		}
		if strings.Contains(why, string(sessionKeys())) {
			t.Errorf("%s: the error contains the keys", name)
		}
	}
	why := rejection(t, configOf(server(nil), server(func(s *agentv1.BackendServer) { s.BackendId = "bk_2" })))
	if !strings.Contains(why, `server "bk_2" of load balancer lb_1: server "bk_1" of load balancer lb_1 has the same own address, address and port; remove one of them`) {
		t.Errorf("twice: %s", why)
	}
}

// rejection returns what is not used of a config, and why.
func rejection(t *testing.T, config *agentv1.NodeConfig) string {
	t.Helper()
	parsed, err := ParseDesired(config)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, one := range parsed.Rejected {
		all = append(all, fmt.Sprintf("server %q of load balancer %s: %s", one.Backend, one.LoadBalancer, one.Reason))
	}
	for _, one := range parsed.Servers {
		if one.TicketProblem != "" {
			all = append(all, fmt.Sprintf("server %q of load balancer %s: %s", one.Backend, one.LoadBalancer, one.TicketProblem))
		}
	}
	return strings.Join(all, "\n")
}

func TestAServerThatBecomesInvalidContinuesAsBefore(t *testing.T) {
	other := func(s *agentv1.BackendServer) { s.BackendId, s.OwnAddress = "bk_2", "10.9.0.9" }
	parse := func(servers ...*agentv1.BackendServer) Desired {
		t.Helper()
		parsed, err := ParseDesired(configOf(servers...))
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	former := parse(withTickets(nil))
	spoilt := server(func(s *agentv1.BackendServer) { s.Number = 128 })
	for range 2 {
		former = parse(spoilt, server(other)).after(former)
	}
	if got := former.Servers; len(got) != 2 || got[0].Backend != "bk_1" || got[0].Number != 3 || got[0].Tickets == nil || got[1].Backend != "bk_2" {
		t.Fatalf("servers %+v", got)
	}
	if why := former.Former[former.Servers[0].key()]; len(former.Rejected) > 0 || why != "Its spec is invalid, so it continues as before: number 128 is out of range; give 1 to 127." {
		t.Errorf("%q, %+v", why, former.Rejected)
	}

	// Invalid ticket keys leave the rest of the server, and its former keys.
	withWrong := withTickets(func(k *agentv1.TicketKeys) { k.Socket = "/" + strings.Repeat("x", 107) })
	withWrong.Number = 5
	got := parse(withWrong).after(former).Servers
	if len(got) != 1 || got[0].Number != 5 || got[0].Tickets == nil || !strings.Contains(got[0].TicketProblem, "too long; give at most 107 bytes.") {
		t.Errorf("servers %+v", got)
	}

	// Another server has its place now.
	got = parse(spoilt, server(func(s *agentv1.BackendServer) { s.BackendId = "bk_3" })).after(former).Servers
	if len(got) != 1 || got[0].Backend != "bk_3" {
		t.Errorf("servers %+v", got)
	}
	if got := parse(server(other)).after(former); len(got.Servers) != 1 || len(got.Former) > 0 {
		t.Errorf("a removed server stays: %+v", got)
	}
}
