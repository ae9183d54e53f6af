package gobgp

import (
	"context"
	"log/slog"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/osrg/gobgp/v4/api"
)

// gateFake records the requests of a gate.
type gateFake struct {
	states   []api.PeerState_SessionState // of the peer, one for each query; the last one repeats
	requests []string
}

func (f *gateFake) AddDefinedSet(_ context.Context, r *api.AddDefinedSetRequest) error {
	f.requests = append(f.requests, "open for "+r.DefinedSet.List[0])
	return nil
}

func (f *gateFake) DeleteDefinedSet(_ context.Context, r *api.DeleteDefinedSetRequest) error {
	f.requests = append(f.requests, "close for "+r.DefinedSet.List[0])
	return nil
}

func (f *gateFake) ListPeer(_ context.Context, _ *api.ListPeerRequest, each func(*api.Peer)) error {
	each(&api.Peer{State: &api.PeerState{SessionState: f.states[0]}})
	if len(f.states) > 1 {
		f.requests, f.states = append(f.requests, "wait"), f.states[1:]
	}
	return nil
}

func (f *gateFake) ResetPeer(_ context.Context, r *api.ResetPeerRequest) error {
	if r.Soft && r.Direction == api.ResetPeerRequest_DIRECTION_OUT {
		f.requests = append(f.requests, "send the table to "+r.Address)
	} else {
		f.requests = append(f.requests, "end the session with "+r.Address)
	}
	return nil
}

func TestGateIsOpenWhileTheSessionIsEstablished(t *testing.T) {
	const (
		announced   = api.PeerState_SESSION_STATE_OPENCONFIRM // announced, not stored
		established = api.PeerState_SESSION_STATE_ESTABLISHED
		idle        = api.PeerState_SESSION_STATE_IDLE
	)
	given, other := netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("10.0.0.2")
	for _, c := range []struct {
		name   string
		states []api.PeerState_SessionState
		events func(*gate)
		want   []string
	}{
		{"when the session is stored", []api.PeerState_SessionState{announced, announced, established},
			func(g *gate) { g.up(given, time.Now()) },
			[]string{"wait", "wait", "open for 10.0.0.1/32", "send the table to 10.0.0.1"}},
		{"not for a session that is already down", []api.PeerState_SessionState{announced, idle},
			func(g *gate) { g.up(given, time.Now()); g.down(given) },
			[]string{"wait"}},
		{"not for a peer that receives no routes", []api.PeerState_SessionState{established},
			func(g *gate) { g.up(other, time.Now()); g.down(other) },
			nil},
		{"until the session ends, and again for the next", []api.PeerState_SessionState{established},
			func(g *gate) { g.up(given, time.Now()); g.down(given); g.up(given, time.Now()) },
			[]string{"open for 10.0.0.1/32", "send the table to 10.0.0.1", "close for 10.0.0.1/32", "open for 10.0.0.1/32", "send the table to 10.0.0.1"}},
		{"not for a session that started while the gate was open for the previous one", []api.PeerState_SessionState{established},
			func(g *gate) {
				g.up(given, time.Now())
				early := time.Now()
				g.down(given)
				g.up(given, early)
				g.down(given)
				g.up(given, time.Now())
			},
			[]string{"open for 10.0.0.1/32", "send the table to 10.0.0.1", "close for 10.0.0.1/32", "end the session with 10.0.0.1",
				"open for 10.0.0.1/32", "send the table to 10.0.0.1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			fake := &gateFake{states: c.states}
			g := &gate{log: slog.New(slog.DiscardHandler), server: fake, ctx: t.Context(), open: map[netip.Addr]bool{}, closed: map[netip.Addr]time.Time{}}
			if err := g.setReceivers([]netip.Prefix{netip.PrefixFrom(given, 32)}, func([]string) error { return nil }); err != nil {
				t.Fatal(err)
			}
			c.events(g)
			if !slices.Equal(fake.requests, c.want) {
				t.Errorf("got requests %q, want %q", fake.requests, c.want)
			}
		})
	}
}

// A new policy keeps the open gates, except for peers that no longer receive routes.
func TestANewPolicyKeepsGatesOpen(t *testing.T) {
	first, second := netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("2001:db8::2")
	fake := &gateFake{states: []api.PeerState_SessionState{api.PeerState_SESSION_STATE_ESTABLISHED}}
	g := &gate{log: slog.New(slog.DiscardHandler), server: fake, ctx: t.Context(), open: map[netip.Addr]bool{}, closed: map[netip.Addr]time.Time{}}
	var open []string
	give := func(peers ...netip.Addr) {
		t.Helper()
		var gives []netip.Prefix
		for _, peer := range peers {
			gives = append(gives, netip.PrefixFrom(peer, peer.BitLen()))
		}
		if err := g.setReceivers(gives, func(set []string) error { open = slices.Sorted(slices.Values(set)); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		peers []netip.Addr
		want  []string
	}{
		{[]netip.Addr{first, second}, []string{noPeer}},
		{[]netip.Addr{first, second}, []string{noPeer, "10.0.0.1/32", "2001:db8::2/128"}},
		{[]netip.Addr{second}, []string{noPeer, "2001:db8::2/128"}},
	} {
		if give(step.peers...); !slices.Equal(open, step.want) {
			t.Errorf("open for %q, want %q", open, step.want)
		}
		g.up(first, time.Now())
		g.up(second, time.Now())
	}
}
