package gobgp

import (
	"context"
	"log/slog"
	"maps"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/osrg/gobgp/v4/api"
	"github.com/osrg/gobgp/v4/pkg/apiutil"
	packet "github.com/osrg/gobgp/v4/pkg/packet/bgp"
	"github.com/osrg/gobgp/v4/pkg/server"
)

// exportSet is the name of the set of peers that receive routes.
const exportSet = "given"

// noPeer keeps that set from being empty: GoBGP treats an empty set as all peers. No peer has this
// address.
const noPeer = "0.0.0.0/32"

// maxEventDelay bounds the delay between the establishment of a session and its event.
const maxEventDelay = time.Minute

// gateServer is the part of GoBGP that a gate uses.
type gateServer interface {
	AddDefinedSet(context.Context, *api.AddDefinedSetRequest) error
	DeleteDefinedSet(context.Context, *api.DeleteDefinedSetRequest) error
	ListPeer(context.Context, *api.ListPeerRequest, func(*api.Peer)) error
	ResetPeer(context.Context, *api.ResetPeerRequest) error
}

// gate holds routes back from a peer until GoBGP has stored that its session is established. GoBGP
// sends the table before it stores that, and drops changes in between: the peer would miss a new
// route, or keep a withdrawn one, for the whole session. After the gate opens, the peer receives
// the complete table, and GoBGP sends each change.
type gate struct {
	log    *slog.Logger
	server gateServer
	ctx    context.Context

	mutex     sync.Mutex
	receivers []netip.Prefix // addresses of the peers that receive routes
	open      map[netip.Addr]bool
	closed    map[netip.Addr]time.Time // when a peer's session ended
}

// newGate watches sessions separately, so that their events don't queue behind those of many
// routes.
func newGate(ctx context.Context, log *slog.Logger, s *server.BgpServer) (*gate, error) {
	g := &gate{log: log, server: s, ctx: ctx, open: map[netip.Addr]bool{}, closed: map[netip.Addr]time.Time{}}
	return g, s.WatchEvent(ctx, server.WatchEventMessageCallbacks{
		OnPeerUpdate: func(event *apiutil.WatchEventMessage_PeerEvent, at time.Time) {
			if event.Type != apiutil.PEER_EVENT_STATE {
				return
			}
			if peer := event.Peer.State.NeighborAddress; event.Peer.State.SessionState == packet.BGP_FSM_ESTABLISHED {
				g.up(peer, at)
			} else {
				g.down(peer)
			}
		},
	}, server.WatchPeer())
}

// setReceivers changes which peers receive routes. It calls set to replace the policy, with the peers whose
// gate is open.
func (g *gate) setReceivers(gives []netip.Prefix, set func(open []string) error) error {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.receivers = gives
	open := []string{noPeer}
	for peer := range g.open {
		if !within(gives, peer) {
			delete(g.open, peer)
			continue
		}
		open = append(open, hostPrefix(peer))
	}
	return set(open)
}

// up opens the gate and sends the table with a soft reset.
func (g *gate) up(peer netip.Addr, at time.Time) {
	if !g.isReceiver(peer) || !g.established(peer) {
		return // a session that is already down again causes another event
	}
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if !within(g.receivers, peer) {
		return // changed meanwhile
	}
	if at.Before(g.closed[peer]) {
		// The table was sent without the gate, which was still open from the previous session.
		g.log.Warn("reset a session that was established before the gate of the previous one was closed", "peer", peer)
		if err := g.server.ResetPeer(g.ctx, &api.ResetPeerRequest{Address: peer.String()}); err != nil {
			g.warn(peer, "a peer may have outdated routes", err)
		}
		return
	}
	delete(g.closed, peer)
	if err := g.server.AddDefinedSet(g.ctx, &api.AddDefinedSetRequest{DefinedSet: only(peer)}); err != nil {
		g.warn(peer, "could not open the gate; the peer receives no routes", err)
		return
	}
	g.open[peer] = true
	if err := g.server.ResetPeer(g.ctx, &api.ResetPeerRequest{Address: peer.String(), Soft: true, Direction: api.ResetPeerRequest_DIRECTION_OUT}); err != nil {
		g.warn(peer, "could not send the table to a peer", err)
	}
}

// down closes the gate before the next session starts: GoBGP waits at least one second before it
// accepts a connection from a named peer. [gate.up] resets a session that was faster.
func (g *gate) down(peer netip.Addr) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if !g.open[peer] {
		return
	}
	if err := g.server.DeleteDefinedSet(g.ctx, &api.DeleteDefinedSetRequest{DefinedSet: only(peer)}); err != nil {
		g.warn(peer, "could not close the gate; the peer may receive routes too early", err)
	}
	delete(g.open, peer)
	now := time.Now()
	maps.DeleteFunc(g.closed, func(_ netip.Addr, at time.Time) bool { return now.Sub(at) > maxEventDelay })
	g.closed[peer] = now
}

// established waits while GoBGP has announced a session and not stored it. It returns when the
// session ends.
func (g *gate) established(peer netip.Addr) bool {
	const pause = time.Millisecond
	for {
		state := api.PeerState_SESSION_STATE_UNSPECIFIED
		err := g.server.ListPeer(g.ctx, &api.ListPeerRequest{Address: peer.String()}, func(p *api.Peer) {
			state = p.GetState().GetSessionState()
		})
		if err != nil || state != api.PeerState_SESSION_STATE_OPENCONFIRM {
			return err == nil && state == api.PeerState_SESSION_STATE_ESTABLISHED
		}
		select {
		case <-time.After(pause):
		case <-g.ctx.Done():
			return false
		}
	}
}

func (g *gate) isReceiver(peer netip.Addr) bool {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return within(g.receivers, peer)
}

func within(prefixes []netip.Prefix, peer netip.Addr) bool {
	return slices.ContainsFunc(prefixes, func(prefix netip.Prefix) bool { return prefix.Contains(peer.WithZone("")) })
}

// warn logs an error, unless the engine is stopping.
func (g *gate) warn(peer netip.Addr, what string, err error) {
	if g.ctx.Err() == nil {
		g.log.Warn(what, "peer", peer, "err", err)
	}
}

// only is the set with one peer.
func only(peer netip.Addr) *api.DefinedSet {
	return &api.DefinedSet{DefinedType: api.DefinedType_DEFINED_TYPE_NEIGHBOR, Name: exportSet, List: []string{hostPrefix(peer)}}
}

func hostPrefix(peer netip.Addr) string { return netip.PrefixFrom(peer, peer.BitLen()).String() }
