package app_test

import (
	"io"
	"net"
	"net/netip"
	"path/filepath"
	"slices"
	"testing"

	"fairlead.dev/agents/internal/lab/app"
	"fairlead.dev/agents/internal/session/keys"
	"fairlead.dev/agents/internal/session/names"
)

// Servers of a lab have names of their own in tickets, and resume each other's sessions.
func TestReturnsAreCounted(t *testing.T) {
	epoch := keys.NewEpoch(1)
	var listeners [2]string
	for i, name := range []string{"web-1", "web-2"} {
		path := filepath.Join(t.TempDir(), "tickets")
		if err := keys.Write(keys.Go(path, keys.For(name, nil, epoch))); err != nil {
			t.Fatal(err)
		}
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		listeners[i] = listener.Addr().String()
		_ = listener.Close()
		go func() {
			_ = app.Serve(t.Context(), name, []app.Listen{{Serve: "tls", Address: listeners[i], Tickets: path}})
		}()
		waitFor(t, name, func() bool {
			conn, err := net.Dial("tcp", listeners[i])
			if err == nil {
				_ = conn.Close()
			}
			return err == nil
		})
		for _, finding := range (names.Prober{}).Probe(t.Context(), netip.MustParseAddrPort(listeners[i]), "") {
			if finding.Kind != names.Stable || !slices.Contains(finding.Names, epoch.Name(name)) {
				t.Errorf("tickets of %s: %+v, want %s", name, finding, epoch.Name(name))
			}
		}
	}
	// A balancer that places each connection on its own: it alternates.
	balancer, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer balancer.Close()
	go func() {
		for i := 0; ; i++ {
			client, err := balancer.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", listeners[i/2%2])
			if err != nil {
				_ = client.Close()
				continue
			}
			go func() { _, _ = io.Copy(server, client); _ = server.Close() }()
			go func() { _, _ = io.Copy(client, server); _ = client.Close() }()
		}
	}()
	counts := app.NewCounts()
	go app.Run(t.Context(), []app.Load{{Service: "s", Serve: "tls", Addresses: []string{balancer.Addr().String()}, Connections: 1, PerSecond: 100, RequestsPerConnection: 2}}, counts)
	waitFor(t, "twenty returns", func() bool { return counts.Read()["s"].Returns >= 20 })
	// The first server, twice the second one, twice the first one: every other return is at another server.
	if got := counts.Read()["s"]; got.Resumed != got.Returns || got.Home*2 < got.Returns-1 || got.Home*2 > got.Returns+1 || got.Failed+got.Broken > 0 {
		t.Errorf("%+v", got)
	}
}

// Or the first servers would have all sessions for ever.
func TestAClientBeginsANewSessionNowAndThen(t *testing.T) {
	addresses := serve(t, "web-1", "tls")
	counts := app.NewCounts()
	go app.Run(t.Context(), []app.Load{{Service: "s", Serve: "tls", Addresses: []string{addresses["tls"]}, Connections: 1, PerSecond: 200, RequestsPerConnection: 1}}, counts)
	waitFor(t, "fifty connections", func() bool { return counts.Read()["s"].Requests >= 50 })
	got := counts.Read()["s"]
	if begun := got.Requests - got.Returns; begun < 3 || begun > got.Requests/20+1 || got.Resumed != got.Returns || got.Failed+got.Broken > 0 {
		t.Errorf("%d of %d connections began a session: %+v", begun, got.Requests, got)
	}
}
