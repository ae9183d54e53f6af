package app_test

import (
	"crypto/tls"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fairlead.dev/agents/internal/lab/app"
	"fairlead.dev/agents/internal/session/keys"
	"fairlead.dev/agents/internal/session/names"
)

// An agent replaces the file of a server whose ticket keys are managed.
func TestTicketKeysThatWereReplacedAreUsed(t *testing.T) {
	first, second := keys.NewEpoch(1), keys.NewEpoch(2)
	path := filepath.Join(t.TempDir(), "tickets.key")
	write := func(epochs ...keys.Epoch) {
		t.Helper()
		if err := keys.Write(keys.Go(path, keys.For("web-1", []string{"web-2"}, epochs...))); err != nil {
			t.Fatal(err)
		}
	}
	write(first)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	go func() {
		_ = app.Serve(t.Context(), "web-1", []app.Listen{{Serve: "tls", Address: address, Tickets: path}})
	}()
	client := &tls.Config{InsecureSkipVerify: true, ServerName: "shop", ClientSessionCache: tls.NewLRUClientSessionCache(1)}
	resumes := func() (resumed bool) {
		t.Helper()
		waitFor(t, "connection", func() bool {
			conn, err := tls.Dial("tcp", address, client)
			if err != nil {
				return false
			}
			defer conn.Close()
			resumed = conn.ConnectionState().DidResume
			_, err = conn.Write([]byte("?\n"))
			if err == nil {
				_, err = conn.Read(make([]byte, 64)) // the ticket comes before it
			}
			return err == nil
		})
		return resumed
	}
	begins := func(want names.Name) {
		t.Helper()
		for _, finding := range (names.Prober{}).Probe(t.Context(), netip.MustParseAddrPort(address), "") {
			if !slices.Contains(finding.Names, want) {
				t.Errorf("tickets: %+v, want %s", finding, want)
			}
		}
	}
	if resumes() || !resumes() {
		t.Error("the second connection alone should resume")
	}
	begins(first.Name("web-1"))
	write(second, first)
	if !resumes() {
		t.Error("a ticket of the former key isn't accepted")
	}
	begins(second.Name("web-1"))
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if !resumes() {
		t.Error("the keys are lost with their file")
	}
}
