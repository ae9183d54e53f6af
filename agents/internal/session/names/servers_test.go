package names_test

import (
	"net/netip"
	"reflect"
	"slices"
	"testing"
	"time"

	"fairlead.dev/agents/internal/session/names"
	"fairlead.dev/agents/internal/session/serverstest"
)

// learn probes a server, and returns the names by version. A monitor does the same again and again.
func learn(t *testing.T, address netip.AddrPort) (found [2][]names.Name, kinds [2]names.Kind) {
	t.Helper()
	for i, finding := range (names.Prober{}).Probe(t.Context(), address, serverstest.ServerName) {
		found[i], kinds[i] = finding.Names, finding.Kind
		if finding.Kind == names.Failed {
			t.Fatalf("finding %+v", finding)
		}
	}
	return found, kinds
}

// Servers without any setting for sessions have a random name, which is constant until they restart.
func TestNamesOfUnmodifiedServersAreLearned(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func() *serverstest.Server{
		"nginx":   func() *serverstest.Server { return serverstest.Nginx(t, "") },
		"HAProxy": func() *serverstest.Server { server, _ := serverstest.HAProxy(t, ""); return server },
		"Node":    func() *serverstest.Server { return serverstest.Node(t, "") },
		"openssl": func() *serverstest.Server { return serverstest.OpenSSL(t) },
		"Envoy":   func() *serverstest.Server { return serverstest.Envoy(t, "", "") },
	} {
		server := start()
		before, kinds := learn(t, server.Address)
		if kinds != [2]names.Kind{names.Stable, names.Stable} || len(before[0]) != 1 || !reflect.DeepEqual(before[0], before[1]) {
			t.Errorf("%s: %v with names %v", name, kinds, before)
		}
		if again, _ := learn(t, server.Address); !reflect.DeepEqual(again, before) {
			t.Errorf("%s: names %v, before %v", name, again, before)
		}
		if other, _ := learn(t, start().Address); reflect.DeepEqual(other, before) {
			t.Errorf("%s: another process has the same name", name)
		}
	}
}

func TestServersWithoutTicketsAreRecognized(t *testing.T) {
	t.Parallel()
	// Without tickets, nginx sends TLS 1.3 clients the key of its session cache in their place.
	_, kinds := learn(t, serverstest.Nginx(t, "ssl_session_tickets off; ssl_session_cache shared:test:1m;").Address)
	if kinds != [2]names.Kind{names.Random, names.NoTickets} {
		t.Errorf("kinds %v", kinds)
	}
}

func TestANewNameAfterAReloadIsLearned(t *testing.T) {
	t.Parallel()
	server := serverstest.Nginx(t, "")
	monitor := names.NewMonitor(names.Options{Probe: names.Prober{}.Probe, Lifetime: time.Hour, Interval: 100 * time.Millisecond})
	defer monitor.Close()
	monitor.Set([]names.Server{{ID: "web", Address: server.Address, ServerNames: []string{serverstest.ServerName}}})
	before := waitForNames(t, monitor, 1)
	serverstest.ReloadNginx(t, server)
	after := waitForNames(t, monitor, 2)
	for name := range before {
		if !slices.Equal(after[name], []string{"web"}) {
			t.Errorf("the old name is lost: %v, before %v", after, before)
		}
	}
}

func waitForNames(t *testing.T, monitor *names.Monitor, count int) map[names.Name][]string {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		table := monitor.Table("")
		if len(table) == count {
			return table
		}
		if time.Now().After(deadline) {
			t.Fatalf("names %v, want %d", table, count)
		}
	}
}
