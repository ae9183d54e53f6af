package gobgp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/osrg/gobgp/v4/api"

	"fairlead.dev/agents/internal/bgp"
)

const (
	detectionPort = 3784 // of BFD over one hop (RFC 5881)
	nearTTL       = 255  // of a packet that crossed no router
	mostPaths     = 255
	warnPercent   = 80
	groupPrefix   = "callers "
)

// removePeers ends the sessions of peers that were removed or whose settings changed.
func (e *Engine) removePeers(ctx context.Context, desired bgp.Desired) (changes int, err error) {
	for _, peer := range slices.Clone(e.set.Peers) {
		if slices.Contains(desired.Peers, peer) {
			continue
		}
		if err := e.removePeer(ctx, peer); err != nil {
			return changes, fmt.Errorf("end the session with peer %s: %w", peer.Name(), err)
		}
		e.set.Peers = slices.DeleteFunc(e.set.Peers, func(p bgp.Peer) bool { return p == peer })
		changes++
	}
	return changes, nil
}

// addPeers adds named peers before ranges of callers: at the first Set, a named peer can't call as a member of a range.
func (e *Engine) addPeers(ctx context.Context, desired bgp.Desired) (changes int, err error) {
	peers := slices.Clone(desired.Peers)
	slices.SortStableFunc(peers, func(a, b bgp.Peer) int { return addOrder(a) - addOrder(b) })
	for _, peer := range peers {
		if slices.Contains(e.set.Peers, peer) {
			continue
		}
		if err := e.addPeer(ctx, peer); err != nil {
			return changes, fmt.Errorf("add peer %s: %w", peer.Name(), err)
		}
		e.set.Peers = append(e.set.Peers, peer)
		changes++
	}
	return changes, nil
}

func addOrder(peer bgp.Peer) int {
	if peer.Address.IsValid() {
		return 0
	}
	return 1
}

func (e *Engine) addPeer(ctx context.Context, peer bgp.Peer) error {
	e.door.letIn(peer)
	if peer.Address.IsValid() {
		return e.addNamed(ctx, peer)
	}
	if err := e.server.AddPeerGroup(ctx, &api.AddPeerGroupRequest{PeerGroup: e.group(peer)}); err != nil {
		return err
	}
	return e.openRange(ctx, peer)
}

// addNamed ends the session of a caller from the peer's address and adds the peer. GoBGP doesn't replace a peer that
// exists, so no range accepts callers until the peer is added: it could call again in between.
func (e *Engine) addNamed(ctx context.Context, peer bgp.Peer) (err error) {
	for _, callers := range e.set.Peers {
		if callers.Address.IsValid() || !callers.Callers.Contains(peer.Address) {
			continue
		}
		if err := e.closeRange(ctx, callers); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, e.openRange(ctx, callers)) }()
	}
	if err := e.dismiss(ctx, peer.Address.String()); err != nil {
		return err
	}
	return e.server.AddPeer(ctx, &api.AddPeerRequest{Peer: e.named(peer)})
}

// openRange accepts new callers of a range, closeRange doesn't; sessions stay as they are.
func (e *Engine) openRange(ctx context.Context, peer bgp.Peer) error {
	return e.server.AddDynamicNeighbor(ctx, &api.AddDynamicNeighborRequest{
		DynamicNeighbor: &api.DynamicNeighbor{Prefix: peer.Callers.String(), PeerGroup: groupOf(peer)},
	})
}

func (e *Engine) closeRange(ctx context.Context, peer bgp.Peer) error {
	return e.server.DeleteDynamicNeighbor(ctx, &api.DeleteDynamicNeighborRequest{Prefix: peer.Callers.String(), PeerGroup: groupOf(peer)})
}

// dismiss ends the session of a dynamic peer with this address, before the peer is added by name: a router
// with a new address connects at once, from an accepted range.
func (e *Engine) dismiss(ctx context.Context, address string) error {
	if called, err := e.hasPeer(ctx, address); err != nil || !called {
		return err
	}
	if err := e.server.DeletePeer(ctx, &api.DeletePeerRequest{Address: address}); err != nil {
		// The peer may have disconnected in the meantime.
		if called, unread := e.hasPeer(ctx, address); called || unread != nil {
			return err
		}
	}
	return nil
}

func (e *Engine) hasPeer(ctx context.Context, address string) (known bool, err error) {
	err = e.server.ListPeer(ctx, &api.ListPeerRequest{Address: address}, func(p *api.Peer) {
		known = known || p.GetState().GetNeighborAddress() == address
	})
	return known, err
}

func (e *Engine) removePeer(ctx context.Context, peer bgp.Peer) error {
	e.door.letIn(peer)
	if peer.Address.IsValid() {
		if peer.Password != "" { // gobgp keeps the password on its listeners when it deletes a peer
			open := peer
			open.Password = ""
			if _, err := e.server.UpdatePeer(ctx, &api.UpdatePeerRequest{Peer: e.named(open)}); err != nil {
				return err
			}
		}
		return e.server.DeletePeer(ctx, &api.DeletePeerRequest{Address: peer.Address.String()})
	}
	group := groupOf(peer)
	if err := e.closeRange(ctx, peer); err != nil {
		return err
	}
	var callers []string
	if err := e.server.ListPeer(ctx, &api.ListPeerRequest{}, func(p *api.Peer) {
		if p.GetConf().GetPeerGroup() == group {
			callers = append(callers, p.GetState().GetNeighborAddress())
		}
	}); err != nil {
		return err
	}
	for _, caller := range callers {
		if err := e.dismiss(ctx, caller); err != nil {
			return err
		}
	}
	return e.server.DeletePeerGroup(ctx, &api.DeletePeerGroupRequest{Name: group})
}

func groupOf(peer bgp.Peer) string { return groupPrefix + peer.Callers.String() }

func (e *Engine) named(peer bgp.Peer) *api.Peer {
	return &api.Peer{
		Conf: &api.PeerConf{
			NeighborAddress: peer.Address.String(), PeerAsn: peer.AS, AuthPassword: peer.Password.Reveal(), Description: peer.Description,
		},
		Timers: timers(peer.Timers), Transport: transport(peer), RouteReflector: e.reflection(peer),
		AfiSafis: families(peer), TtlSecurity: near(peer), Bfd: detection(peer.Detection),
	}
}

func (e *Engine) group(peer bgp.Peer) *api.PeerGroup {
	return &api.PeerGroup{
		Conf: &api.PeerGroupConf{
			PeerGroupName: groupOf(peer), PeerAsn: peer.AS, AuthPassword: peer.Password.Reveal(), Description: peer.Description,
		},
		Timers: timers(peer.Timers), Transport: transport(peer), RouteReflector: e.reflection(peer),
		AfiSafis: families(peer), TtlSecurity: near(peer), Bfd: detection(peer.Detection),
	}
}

func timers(t bgp.Timers) *api.Timers {
	seconds := func(d time.Duration) uint64 { return uint64(d / time.Second) }
	return &api.Timers{
		Config: &api.TimersConfig{
			HoldTime: seconds(t.Hold), KeepaliveInterval: seconds(t.KeepAlive), ConnectRetry: seconds(t.Retry),
			IdleHoldTimeAfterReset: 1, // gobgp's default of 30 s would delay a peer that is back already
		},
		// Until the first session is up, gobgp uses the hold time of the previous one. Without one it would
		// wait forever for a peer that sends OPEN and then nothing. It doesn't use this for dynamic peers.
		State: &api.TimersState{NegotiatedHoldTime: seconds(t.Hold), KeepaliveInterval: seconds(t.KeepAlive)},
	}
}

func transport(peer bgp.Peer) *api.Transport {
	t := &api.Transport{PassiveMode: peer.Waits || !peer.Address.IsValid()}
	if peer.Source.IsValid() {
		t.LocalAddress = peer.Source.String()
	}
	return t
}

// reflection sets this engine as the cluster, which prevents routing loops.
func (e *Engine) reflection(peer bgp.Peer) *api.RouteReflector {
	if !peer.Reflected {
		return nil
	}
	return &api.RouteReflector{RouteReflectorClient: true, RouteReflectorClusterId: e.set.RouterID.String()}
}

func near(peer bgp.Peer) *api.TtlSecurity {
	if !peer.NearOnly {
		return nil
	}
	return &api.TtlSecurity{Enabled: true, TtlMin: nearTTL}
}

func detection(d bgp.Detection) *api.BfdPeerConfig {
	if d == (bgp.Detection{}) {
		return nil
	}
	every := uint32(d.Interval / time.Microsecond)
	return &api.BfdPeerConfig{
		Enabled: true, Port: detectionPort, DesiredMinimumTxInterval: every, RequiredMinimumReceive: every, DetectionMultiplier: uint32(d.Multiplier),
	}
}

func families(peer bgp.Peer) (families []*api.AfiSafi) {
	for _, one := range []struct {
		off bool
		afi api.Family_Afi
	}{{peer.NoIPv4, api.Family_AFI_IP}, {peer.NoIPv6, api.Family_AFI_IP6}} {
		if one.off {
			continue
		}
		family := &api.Family{Afi: one.afi, Safi: api.Family_SAFI_UNICAST}
		f := &api.AfiSafi{Config: &api.AfiSafiConfig{Family: family, Enabled: true}}
		if peer.MostRoutes > 0 {
			f.PrefixLimits = &api.PrefixLimit{Family: family, MaxPrefixes: peer.MostRoutes, ShutdownThresholdPct: warnPercent}
		}
		paths := &api.AddPathsConfig{Receive: peer.TakesPaths}
		if peer.Gives == bgp.EveryRoute {
			paths.SendMax = mostPaths
		}
		f.AddPaths = &api.AddPaths{Config: paths}
		families = append(families, f)
	}
	return families
}
