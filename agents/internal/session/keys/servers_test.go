package keys_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"fairlead.dev/agents/internal/session/keys"
	"fairlead.dev/agents/internal/session/names"
	"fairlead.dev/agents/internal/session/serverstest"
)

const patience = 20 * time.Second

var versions = []uint16{tls.VersionTLS13, tls.VersionTLS12}

// fleet is two servers of one kind, A and B, under a rotation.
type fleet struct {
	epochs  []keys.Epoch // servers encrypt with the first one
	running map[string]*serverstest.Server
	set     map[string]func(keys.Server) // gives a server its keys
}

// The phases of a rotation.
const (
	before    = "before"
	adding    = "adding"    // servers accept the next epoch's tickets
	switching = "switching" // they encrypt with it
	after     = "after"     // the old epoch is dropped
)

var ids = []string{"A", "B"}

// start runs the servers. The function returns a server with these keys, and what gives it others.
func start(t *testing.T, run func(id string, first keys.Server) (*serverstest.Server, func(keys.Server))) *fleet {
	t.Helper()
	f := &fleet{epochs: []keys.Epoch{keys.NewEpoch(1)}, running: map[string]*serverstest.Server{}, set: map[string]func(keys.Server){}}
	for _, id := range ids {
		f.running[id], f.set[id] = run(id, f.server(id))
	}
	return f
}

// server returns the keys that a server should have.
func (f *fleet) server(id string) keys.Server { return keys.For(id, ids, f.epochs...) }

// apply gives all servers their keys, and returns when probes see the names.
func (f *fleet) apply(t *testing.T, epochs ...keys.Epoch) {
	t.Helper()
	f.epochs = epochs
	for _, id := range ids {
		f.set[id](f.server(id))
		waitForName(t, f.running[id], f.server(id).Own.Name)
	}
}

// waitForName waits until all new tickets begin with a name. Workers with the previous keys can serve some
// connections after a reload.
func waitForName(t *testing.T, server *serverstest.Server, want names.Name) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		findings := names.Prober{}.Probe(t.Context(), server.Address, serverstest.ServerName)
		wrong := slices.ContainsFunc(findings, func(finding names.Finding) bool { return !slices.Equal(finding.Names, []names.Name{want}) })
		if !wrong {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("findings %+v, want the name %v", findings, want)
		}
	}
}

// waitForRejection waits until a server rejects a client's ticket. When an epoch is dropped, new tickets
// keep their name, so waitForName returns before the server has these keys.
func waitForRejection(t *testing.T, client *serverstest.Client, server *serverstest.Server) {
	t.Helper()
	for deadline := time.Now().Add(patience); client.Resumes(t, server.Address); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("a ticket of the dropped epoch is still accepted")
		}
	}
}

// rotate goes through a whole rotation while clients have tickets of both epochs. It calls check after
// each phase.
func (f *fleet) rotate(t *testing.T, check func(phase string)) {
	t.Helper()
	old, next := f.epochs[0], keys.NewEpoch(2)
	f.apply(t, old, next)
	check(adding)
	f.apply(t, next, old)
	check(switching)
	f.apply(t, next)
	check(after)
}

// clients are ones with a ticket of server A.
func (f *fleet) clients(t *testing.T) map[uint16]*serverstest.Client {
	t.Helper()
	clients := map[uint16]*serverstest.Client{}
	for _, version := range versions {
		clients[version] = serverstest.NewClient(version)
		clients[version].Get(t, f.running["A"].Address)
	}
	return clients
}

// testRotation rotates with all checks. crosses is whether servers accept each other's tickets.
func testRotation(t *testing.T, f *fleet, crosses func(phase string) bool, keepsOwn bool) {
	t.Helper()
	cross := func(phase string) {
		t.Helper()
		for _, version := range versions {
			if got := serverstest.ResumesAt(t, version, f.running["A"].Address, f.running["B"].Address); got != crosses(phase) {
				t.Errorf("%s, %s: B resumes a session of A: %v", phase, tls.VersionName(version), got)
			}
			if !serverstest.ResumesAt(t, version, f.running["A"].Address, f.running["A"].Address) {
				t.Errorf("%s, %s: A doesn't resume its own session", phase, tls.VersionName(version))
			}
		}
	}
	for _, id := range ids {
		waitForName(t, f.running[id], f.server(id).Own.Name)
	}
	cross(before)
	old, dropped := f.clients(t), f.clients(t)
	f.rotate(t, func(phase string) {
		t.Helper()
		cross(phase)
		for _, version := range versions {
			if phase == switching && old[version].Get(t, f.running["A"].Address) != keepsOwn {
				t.Errorf("%s: A resumes with a ticket of the old epoch: %v", tls.VersionName(version), !keepsOwn)
			}
			if phase == after {
				waitForRejection(t, dropped[version], f.running["A"])
			}
		}
	})
}

func always(string) bool { return true }

func TestNginxRotates(t *testing.T) {
	t.Parallel()
	testRotation(t, start(t, func(_ string, first keys.Server) (*serverstest.Server, func(keys.Server)) {
		folder := t.TempDir()
		must(t, keys.WriteNginx(folder, first))
		server := serverstest.Nginx(t, "include "+folder+"/tickets.conf;")
		return server, func(wanted keys.Server) {
			must(t, keys.WriteNginx(folder, wanted))
			serverstest.ReloadNginx(t, server)
		}
	}), always, true)
}

// HAProxy isn't reloaded. Its ring has no room for other servers' keys during the rotation.
func TestHAProxyRotatesAtRunTime(t *testing.T) {
	t.Parallel()
	f := start(t, func(_ string, first keys.Server) (*serverstest.Server, func(keys.Server)) {
		path := filepath.Join(t.TempDir(), "tickets")
		file, rejected := keys.HAProxy(path, first, keys.HAProxyRing)
		must(t, keys.Write(file))
		if len(rejected) != 0 {
			t.Errorf("rejected %v", rejected)
		}
		server, socket := serverstest.HAProxy(t, path)
		return server, func(wanted keys.Server) {
			applied, err := keys.HAProxySocket{Path: socket}.Set(t.Context(), path, wanted)
			must(t, err)
			rejected := slices.Concat(applied.Rejected, applied.Reload)
			for _, key := range rejected {
				if key.Server == first.ID {
					t.Errorf("its own key %v is rejected", key)
				}
			}
			if len(rejected) == 0 {
				t.Error("HAProxy has no room for other keys, but none is rejected")
			}
		}
	})
	testRotation(t, f, func(phase string) bool { return phase == before }, true)
}

func TestEnvoyRotatesWhenTheFileIsReplaced(t *testing.T) {
	t.Parallel()
	testRotation(t, start(t, func(_ string, first keys.Server) (*serverstest.Server, func(keys.Server)) {
		path := filepath.Join(t.TempDir(), "tickets.json")
		set := func(wanted keys.Server) {
			file, err := keys.Envoy(path, "tickets", wanted)
			must(t, err)
			must(t, keys.Write(file))
		}
		set(first)
		return serverstest.Envoy(t, path, "tickets"), set
	}), always, true)
}

func TestNodeRotatesWithOneKey(t *testing.T) {
	t.Parallel()
	testRotation(t, start(t, func(_ string, first keys.Server) (*serverstest.Server, func(keys.Server)) {
		path := filepath.Join(t.TempDir(), "tickets")
		write := func(wanted keys.Server) {
			file, _ := keys.Node(path, wanted)
			must(t, keys.Write(file))
		}
		write(first)
		server := serverstest.Node(t, path)
		return server, func(wanted keys.Server) {
			write(wanted)
			server.Signal(t, syscall.SIGHUP)
		}
	}), func(string) bool { return false }, false)
}

func TestHAProxyReportsASocketWithoutTheseKeys(t *testing.T) {
	t.Parallel()
	_, socket := serverstest.HAProxy(t, "")
	path := filepath.Join(t.TempDir(), "tickets")
	server := keys.For("A", ids, keys.NewEpoch(1))
	if _, err := (keys.HAProxySocket{Path: socket}).Set(t.Context(), path, server); err == nil {
		t.Error("keys that HAProxy doesn't use were set")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (keys.HAProxySocket{Path: socket}).Set(ctx, path, server); err == nil {
		t.Error("a cancelled call succeeded")
	}
}

// HAProxy's path of a file isn't the agent's in a container, so the file is found by its name.
func TestOneHAProxyKeepsTheKeysOfOneInstance(t *testing.T) {
	t.Parallel()
	inHAProxy := filepath.Join(t.TempDir(), "tickets.txt")
	epoch := keys.NewEpoch(1)
	first, second := keys.For("A", ids, epoch), keys.For("B", ids, epoch)
	file, _ := keys.HAProxy(inHAProxy, first, keys.HAProxyRing)
	must(t, keys.Write(file))
	running, socket := serverstest.HAProxy(t, inHAProxy)
	root := t.TempDir()
	var places []keys.Place
	for _, name := range []string{"a", "b"} {
		must(t, os.Mkdir(filepath.Join(root, name), 0o700))
		places = append(places, keys.Place{Software: keys.ForHAProxy, Folder: filepath.Join(root, name), Socket: socket})
	}
	for range 2 {
		_, err := places[0].Apply(t.Context(), first, places...)
		must(t, err)
		_, err = places[1].Apply(t.Context(), second, places...)
		if err == nil || !strings.Contains(err.Error(), "give each instance a socket of its own") {
			t.Errorf("the second instance: %v", err)
		}
		waitForName(t, running, first.Own.Name)
	}

	// An instance with a file of its own there isn't refused, and the other doesn't take it.
	places[1].Folder = filepath.Dir(inHAProxy)
	_, err := places[1].Apply(t.Context(), second, places...)
	must(t, err)
	if _, err = places[0].Apply(t.Context(), first, places...); err == nil || !strings.Contains(err.Error(), "HAProxy has no ticket keys of the file") {
		t.Errorf("the first instance: %v", err)
	}
	waitForName(t, running, second.Own.Name)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(fmt.Errorf("unexpected: %w", err))
	}
}
