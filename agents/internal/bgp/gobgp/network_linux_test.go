package gobgp_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"slices"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/bgptest"
	"fairlead.dev/agents/internal/bgp/gobgp"
)

func TestMain(m *testing.M) {
	bgptest.Main(m, func() bgp.Engine { return gobgp.Open(slog.New(slog.NewTextHandler(io.Discard, nil))) })
}

// network has speakers, reflectors and a router, each an engine.
type network struct {
	lan        *bgptest.LAN
	speakers   []*bgptest.Process
	reflectors []*bgptest.Process
	router     *bgptest.Process
}

func newNetwork(t *testing.T, speakers, reflectors int) *network {
	t.Helper()
	n := &network{lan: bgptest.NewLAN(t)}
	for i := range speakers {
		n.speakers = append(n.speakers, bgptest.Start(t, n.lan.Add(t, fmt.Sprintf("speaker%d", i+1))))
	}
	for i := range reflectors {
		n.reflectors = append(n.reflectors, bgptest.Start(t, n.lan.Add(t, fmt.Sprintf("reflector%d", i+1))))
	}
	n.router = bgptest.Start(t, n.lan.Add(t, "router"))
	return n
}

// up applies the usual settings, and waits until the router has the routes of all speakers.
func (n *network) up(t *testing.T) {
	t.Helper()
	set(t, n.router, bgptest.Router(n.router.Host, hosts(n.reflectors)...))
	for _, reflector := range n.reflectors {
		set(t, reflector, bgptest.Reflector(reflector.Host, n.router.Host))
	}
	for _, speaker := range n.speakers {
		set(t, speaker, bgptest.Speaker(speaker.Host, hosts(n.reflectors)...))
	}
	n.goesBy(t, n.speakers...)
	for _, reflector := range n.reflectors {
		for _, process := range append(slices.Clone(n.speakers), n.router) {
			waitFor(t, func() bool { return sessionWith(t, process, reflector.Host.IPv4).State == bgp.Established },
				func() string {
					return fmt.Sprintf("no session between %s and %s", reflector.Host.Name, process.Host.Name)
				})
		}
	}
}

// goesBy waits until the router uses exactly these speakers as next hops.
func (n *network) goesBy(t *testing.T, speakers ...*bgptest.Process) {
	t.Helper()
	for _, prefix := range bgptest.Services {
		want := []netip.Addr{}
		for _, speaker := range speakers {
			hop := speaker.Host.IPv4
			if prefix.Addr().Is6() {
				hop = speaker.Host.IPv6
			}
			want = append(want, hop)
		}
		var hops []netip.Addr
		waitFor(t, func() bool {
			var err error
			hops, err = n.router.Hops(prefix)
			if err != nil {
				t.Fatal(err)
			}
			return slices.Equal(hops, want)
		}, func() string { return fmt.Sprintf("%s: next hops %v, want %v", prefix, hops, want) })
	}
}

func hosts(processes []*bgptest.Process) (hosts []*bgptest.Host) {
	for _, process := range processes {
		hosts = append(hosts, process.Host)
	}
	return hosts
}

func set(t *testing.T, process *bgptest.Process, desired bgp.Desired) int {
	t.Helper()
	changes, err := process.Set(desired)
	if err != nil {
		t.Fatalf("set %s: %v", process.Host.Name, err)
	}
	return changes
}

// waitFor fails after a minute; a session needs two seconds to be established.
func waitFor(t *testing.T, holds func() bool, otherwise func() string) {
	t.Helper()
	for began := time.Now(); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatal(otherwise())
		}
	}
}

func sessionWith(t *testing.T, process *bgptest.Process, peer netip.Addr) bgp.Session {
	t.Helper()
	sessions, err := process.Sessions()
	if err != nil {
		t.Fatal(err)
	}
	for _, session := range sessions {
		if session.Peer == peer {
			return session
		}
	}
	return bgp.Session{}
}

// takeAll discards the waiting changes.
func takeAll(t *testing.T, process *bgptest.Process) {
	t.Helper()
	if _, err := process.Take(); err != nil {
		t.Fatal(err)
	}
}

// waitForDown waits for the transition of a session that ended or failed to establish.
func waitForDown(t *testing.T, process *bgptest.Process, peer netip.Addr) (down bgp.Transition) {
	t.Helper()
	var reported []bgp.Transition
	waitFor(t, func() bool {
		took, err := process.Take()
		if err != nil {
			t.Fatal(err)
		}
		reported = append(reported, took.Sessions...)
		at := slices.IndexFunc(reported, func(s bgp.Transition) bool { return s.Peer == peer && s.State != bgp.Established })
		if at >= 0 {
			down = reported[at]
		}
		return at >= 0
	}, func() string { return fmt.Sprintf("got only %+v", reported) })
	return down
}
