package balancer

import (
	"fmt"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/session/cookie"
	"fairlead.dev/agents/internal/session/names"
)

// secret is that of an exposure, as a control plane derives it.
var secret = []byte(strings.Repeat("0123456789abcdef", 4))

// bySession makes the service one that places connections by session.
func bySession(changes ...func(*agentv1.BalancerService)) func(*agentv1.BalancerRole) {
	return service(func(s *agentv1.BalancerService) {
		s.Session = &agentv1.SessionService{Keys: &agentv1.SessionKeys{Current: secret}, Names: "learned", Ids: true}
		for i, backend := range s.Backends {
			backend.Session = &agentv1.SessionBackend{Number: uint32(i + 1), Companion: backend.Address + ":7446"}
		}
		for _, change := range changes {
			change(s)
		}
	})
}

func TestAServiceBySessionIsParsed(t *testing.T) {
	got := desired(t, config(1, bySession(func(s *agentv1.BalancerService) {
		s.Session.ServerNames = []string{"Shop.example.com."}
		s.Backends[0].Session, s.Backends[0].Returns = nil, true
		s.Session.Fallbacks = []string{"proxy", "plain"}
	}))).Services[0]
	keys, err := cookie.Unpack(secret, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := &Session{
		Keys: keys, Learns: true, IDs: true, ServerNames: []string{"shop.example.com"}, Tickets: 24 * time.Hour,
		Fallbacks: []string{"proxy", "plain"}, Returns: map[string]bool{"b": true},
		Backends: map[string]SessionBackend{"a": {Number: 2, Companion: netip.MustParseAddrPort("10.0.0.1:7446")}},
	}
	if !reflect.DeepEqual(got.Session, want) || got.Wanted.Delivery != datapath.Direct {
		t.Errorf("got %+v with delivery %q", got.Session, got.Wanted.Delivery)
	}
}

// managed makes the names managed, with one of two epochs for each backend.
func managed(s *agentv1.BalancerService) {
	s.Session.Names, s.Session.TicketRevision = "managed", 7
	for _, backend := range s.Backends {
		backend.Session.TicketNames = [][]byte{managedName(backend.Id, 1), managedName(backend.Id, 2)}
	}
}

func managedName(backend string, epoch int) []byte {
	return fmt.Appendf(nil, "%-15s%d", backend, epoch)
}

func TestManagedNamesAreParsed(t *testing.T) {
	got := desired(t, config(1, bySession(managed))).Services[0].Session
	want := []names.Name{names.Name(managedName("a", 1)), names.Name(managedName("a", 2))}
	if !got.Learns || !got.Managed || got.TicketNames != 7 || !reflect.DeepEqual(got.Backends["a"].Names, want) {
		t.Errorf("got %+v", got)
	}
}

// As of an instance that gets another address: the names lead to the backend that takes new connections.
func TestNamesOfTwoBackendsLeadToOneOfThem(t *testing.T) {
	for _, c := range []struct{ draining, owner, other string }{{"", "a", "b"}, {"a", "b", "a"}, {"b", "a", "b"}} {
		got := desired(t, config(1, bySession(managed, func(s *agentv1.BalancerService) {
			for _, b := range s.Backends {
				b.Session.TicketNames = [][]byte{managedName("same", 1)}
				if b.Id == c.draining {
					b.State = "draining"
				}
			}
		}))).Services[0].Session
		if owner, other := got.Backends[c.owner], got.Backends[c.other]; len(owner.Names) != 1 || owner.SharesWith != "" || len(other.Names) != 0 || other.SharesWith != c.owner {
			t.Errorf("while %q drains: %+v", c.draining, got.Backends)
		}
	}
}

func TestAWrongSessionIsRejectedWithItsField(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*agentv1.BalancerService)
		want   []string
	}{
		{"without keys", func(s *agentv1.BalancerService) { s.Session.Keys = nil }, []string{"session keys", "64"}},
		{"short keys", func(s *agentv1.BalancerService) { s.Session.Keys.Current = secret[:63] }, []string{"session keys", "63", "64"}},
		{"a short previous key", func(s *agentv1.BalancerService) { s.Session.Keys.Previous = secret[:1] }, []string{"session keys", "64"}},
		{"empty keys", func(s *agentv1.BalancerService) { s.Session.Keys.Current = make([]byte, 64) }, []string{"session keys", "empty"}},
		{"unknown names", func(s *agentv1.BalancerService) { s.Session.Names = "guessed" }, []string{"session names", "guessed", "learned"}},
		{"a wrong server name", func(s *agentv1.BalancerService) { s.Session.ServerNames = []string{"a b"} }, []string{"session server_names", "a b"}},
		{"many server names", func(s *agentv1.BalancerService) { s.Session.ServerNames = make([]string, 9) }, []string{"session server_names", "8"}},
		{"long tickets", func(s *agentv1.BalancerService) { s.Session.TicketSeconds = 604801 }, []string{"session ticket_seconds", "604800"}},
		{"UDP", func(s *agentv1.BalancerService) { s.Protocol = "udp"; s.HealthCheck = nil }, []string{"session", "tcp"}},
		{"another delivery", func(s *agentv1.BalancerService) { s.Delivery = "nat" }, []string{"session", "direct", "gue"}},
		{"a PROXY header", func(s *agentv1.BalancerService) { s.Delivery, s.ProxyProtocol = "proxy", true }, []string{"session", "PROXY protocol"}},
		{"an impossible order of fallbacks", func(s *agentv1.BalancerService) { s.Session.Fallbacks = []string{"plain", "proxy"} }, []string{"session fallbacks", "plain"}},
		{"no number", func(s *agentv1.BalancerService) { s.Backends[0].Session.Number = 0 }, []string{`backend "b"`, "session number", "127"}},
		{"a high number", func(s *agentv1.BalancerService) { s.Backends[0].Session.Number = 128 }, []string{`backend "b"`, "session number", "127"}},
		{"no companion", func(s *agentv1.BalancerService) { s.Backends[0].Session.Companion = "" }, []string{`backend "b"`, "session companion", "7446"}},
		{"a companion without port", func(s *agentv1.BalancerService) { s.Backends[0].Session.Companion = "10.0.0.2" }, []string{`backend "b"`, "session companion", "10.0.0.2"}},
		{"a short ticket name", func(s *agentv1.BalancerService) { managed(s); s.Backends[0].Session.TicketNames[1] = []byte("x") }, []string{`backend "b"`, "session ticket_names", "1 bytes", "16"}},
		{"many ticket names", func(s *agentv1.BalancerService) { s.Backends[0].Session.TicketNames = make([][]byte, 9) }, []string{`backend "b"`, "session ticket_names", "9", "8"}},
		{"a session of a backend only", func(s *agentv1.BalancerService) { s.Session = nil }, []string{`backend "b"`, "session"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := rejection(config(1, bySession(c.change)))
			if text == "" {
				t.Fatal("accepted")
			}
			for _, part := range append(c.want, "192.0.2.1") {
				if !strings.Contains(text, part) {
					t.Errorf("%q doesn't contain %q", text, part)
				}
			}
			if strings.Contains(text, string(secret[:8])) {
				t.Errorf("the key is in %q", text)
			}
		})
	}
}

func TestAChangeOfASessionIsAChangeOfTheSpec(t *testing.T) {
	before := desired(t, config(1, bySession()))
	if !before.Equal(desired(t, config(2, bySession()))) {
		t.Error("the same spec differs")
	}
	for name, change := range map[string]func(*agentv1.BalancerService){
		"keys":        func(s *agentv1.BalancerService) { s.Session.Keys.Previous = secret },
		"names":       func(s *agentv1.BalancerService) { s.Session.Names = "off" },
		"managed":     func(s *agentv1.BalancerService) { s.Session.Names = "managed" },
		"revision":    func(s *agentv1.BalancerService) { s.Session.Names = "managed"; s.Session.TicketRevision = 8 },
		"ticketNames": func(s *agentv1.BalancerService) { s.Backends[0].Session.TicketNames = [][]byte{managedName("b", 1)} },
		"ids":         func(s *agentv1.BalancerService) { s.Session.Ids = false },
		"serverNames": func(s *agentv1.BalancerService) { s.Session.ServerNames = []string{"a"} },
		"tickets":     func(s *agentv1.BalancerService) { s.Session.TicketSeconds = 7 },
		"number":      func(s *agentv1.BalancerService) { s.Backends[0].Session.Number = 9 },
		"companion":   func(s *agentv1.BalancerService) { s.Backends[0].Session = nil },
	} {
		if before.Equal(desired(t, config(1, bySession(change)))) {
			t.Errorf("%s: no difference", name)
		}
	}
}

// Whatever prints a spec, such as a failed test or a log, must not print its keys.
func TestASpecIsPrintedWithoutItsKeys(t *testing.T) {
	spec := desired(t, config(1, bySession()))
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d", "%x"} {
		printed := fmt.Sprintf(verb, *spec.Services[0].Session) + fmt.Sprintf(verb, spec.Services[0].Session.Keys)
		for _, part := range []string{string(secret[:8]), "3736353433323130", "3978425819141910832", "0x3736353433323130"} {
			if strings.Contains(printed, part) {
				t.Errorf("%s: %s", verb, printed)
			}
		}
		if !strings.Contains(printed, "(keys)") {
			t.Errorf("%s: %s", verb, printed)
		}
	}
}

// An engine that can't carries the service as any other, and reports why.
func TestAnEngineWithoutSessionsPlacesEachConnectionOnItsOwn(t *testing.T) {
	b := newBench(t, t.TempDir(), "xdp")
	mustSet(t, b, config(1, bySession(func(s *agentv1.BalancerService) { s.HealthCheck = nil })))
	carried := b.engines["xdp"].services[0]
	if carried.Chooser != datapath.Agreed || len(datapath.Fresh(carried.Backends)) != 2 {
		t.Errorf("carried as %+v", carried)
	}
	observed, err := b.Observe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	status := observed.Status.GetServices()[0]
	problem := status.GetSession().GetProblem()
	if !strings.Contains(problem, "xdp") || !strings.Contains(problem, "choose tcx") || !status.GetReady() || status.GetSession().GetAddress() != "" {
		t.Errorf("status %v", status)
	}
	for _, backend := range status.GetSession().GetBackends() {
		if backend.GetTakes() {
			t.Errorf("backend %s takes connections by session", backend.GetId())
		}
	}
}
