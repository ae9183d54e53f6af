package keys_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"fairlead.dev/agents/internal/session/keys"
	"fairlead.dev/agents/internal/session/names"
	"fairlead.dev/agents/internal/session/serverstest"
)

const (
	lifetime = time.Hour
	patience = 20 * time.Second
)

var versions = []uint16{tls.VersionTLS13, tls.VersionTLS12}

// fleet is two servers of one kind, A and B, under a rotation. The rotation's state is saved and loaded again
// at each step.
type fleet struct {
	path     string
	rotation keys.Rotation
	now      time.Time
	running  map[string]*serverstest.Server
	set      map[string]func(keys.Server) // gives a server its keys
}

// before is the time before the rotation.
const before = keys.Phase("before")

var ids = []string{"A", "B"}

// start runs the servers. The function returns a server with these keys, and what gives it others.
func start(t *testing.T, run func(id string, first keys.Server) (*serverstest.Server, func(keys.Server))) *fleet {
	t.Helper()
	f := &fleet{path: filepath.Join(t.TempDir(), "rotation"), now: time.Now(), running: map[string]*serverstest.Server{}, set: map[string]func(keys.Server){}}
	f.rotation = keys.New(keys.NewEpoch(1), lifetime, f.now).SetMembers(ids, nil, f.now)
	for _, id := range ids {
		f.running[id], f.set[id] = run(id, f.rotation.Server(id))
		f.rotation = f.rotation.Acknowledge(keys.Member{Kind: keys.OfServer, ID: id}, f.rotation.Revision, f.now)
	}
	return f
}

func (f *fleet) saved(t *testing.T) {
	t.Helper()
	must(t, keys.Save(f.path, f.rotation))
	var err error
	f.rotation, err = keys.Load(f.path)
	must(t, err)
}

// apply gives all servers their keys, and acknowledges when they have them and probes see the names.
func (f *fleet) apply(t *testing.T) {
	t.Helper()
	f.saved(t)
	revision := f.rotation.Revision
	for _, id := range ids {
		wanted := f.rotation.Server(id)
		f.set[id](wanted)
		waitForName(t, f.running[id], wanted.Own.Name)
		f.rotation = f.rotation.Acknowledge(keys.Member{Kind: keys.OfServer, ID: id}, revision, f.now)
		f.saved(t)
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

func (f *fleet) enter(t *testing.T, phase keys.Phase) {
	t.Helper()
	if f.rotation.Phase != phase {
		t.Fatalf("phase %s, want %s; lagging %v", f.rotation.Phase, phase, f.rotation.Lagging())
	}
}

// rotate goes through a whole rotation while clients have tickets of both epochs. It calls check in each
// phase with whether the servers still have the old epoch.
func (f *fleet) rotate(t *testing.T, check func(phase keys.Phase)) {
	t.Helper()
	var err error
	f.rotation, err = f.rotation.Start(keys.NewEpoch(2), f.now)
	must(t, err)
	f.enter(t, keys.Adding)
	f.apply(t)
	check(keys.Adding)
	f.enter(t, keys.Switching)
	f.apply(t)
	f.enter(t, keys.Retiring)
	check(keys.Retiring)
	f.now = f.now.Add(lifetime)
	f.rotation = f.rotation.Step(f.now)
	f.enter(t, keys.Idle)
	f.apply(t)
	check(keys.Idle)
	if lagging := f.rotation.Lagging(); len(lagging) != 0 {
		t.Errorf("lagging %v", lagging)
	}
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
func testRotation(t *testing.T, f *fleet, crosses func(phase keys.Phase) bool, keepsOwn bool) {
	t.Helper()
	cross := func(phase keys.Phase) {
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
		waitForName(t, f.running[id], f.rotation.Server(id).Own.Name)
	}
	cross(before)
	old, dropped := f.clients(t), f.clients(t)
	f.rotate(t, func(phase keys.Phase) {
		t.Helper()
		cross(phase)
		for _, version := range versions {
			if phase == keys.Retiring && old[version].Get(t, f.running["A"].Address) != keepsOwn {
				t.Errorf("%s: A resumes with a ticket of the old epoch: %v", tls.VersionName(version), !keepsOwn)
			}
			if phase == keys.Idle {
				waitForRejection(t, dropped[version], f.running["A"])
			}
		}
	})
}

func always(keys.Phase) bool { return true }

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
			rejected, err := keys.HAProxySocket{Path: socket}.Set(t.Context(), path, wanted)
			must(t, err)
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
	testRotation(t, f, func(phase keys.Phase) bool { return phase == before }, true)
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
	}), func(keys.Phase) bool { return false }, false)
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

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(fmt.Errorf("unexpected: %w", err))
	}
}
