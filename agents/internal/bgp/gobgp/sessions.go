package gobgp

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/osrg/gobgp/v4/api"
	packet "github.com/osrg/gobgp/v4/pkg/packet/bgp"

	"fairlead.dev/agents/internal/bgp"
)

// Sessions implements bgp.Engine.
func (e *Engine) Sessions(ctx context.Context) (sessions []bgp.Session, err error) {
	if e.server == nil {
		return nil, errNotStarted
	}
	// The number of advertised routes isn't requested: gobgp would search its whole table for each
	// peer, and block updates meanwhile.
	if err := e.server.ListPeer(ctx, &api.ListPeerRequest{}, func(peer *api.Peer) {
		sessions = append(sessions, e.sessionOf(peer))
	}); err != nil {
		return nil, fmt.Errorf("read sessions: %w", err)
	}
	slices.SortFunc(sessions, func(a, b bgp.Session) int { return a.Peer.Compare(b.Peer) })
	return sessions, nil
}

// Up implements bgp.Engine. gobgp marks a session as down before it removes its routes.
func (e *Engine) Up(ctx context.Context) (up []netip.Addr, err error) {
	if e.server == nil {
		return nil, errNotStarted
	}
	if err := e.server.ListPeer(ctx, &api.ListPeerRequest{}, func(peer *api.Peer) {
		if peer.GetState().GetSessionState() != api.PeerState_SESSION_STATE_ESTABLISHED {
			return
		}
		if address, err := netip.ParseAddr(peer.GetState().GetNeighborAddress()); err == nil {
			up = append(up, address)
		}
	}); err != nil {
		return nil, fmt.Errorf("read which sessions are up: %w", err)
	}
	slices.SortFunc(up, netip.Addr.Compare)
	return up, nil
}

func (e *Engine) sessionOf(peer *api.Peer) bgp.Session {
	state := peer.GetState()
	session := bgp.Session{
		AS: state.GetPeerAsn(), State: stateOf(packet.FSMState(state.GetSessionState() - 1)),
		Dynamic:   peer.GetConf().GetPeerGroup() != "",
		OverLimit: state.GetAdminState() == api.PeerState_ADMIN_STATE_PFX_CT,
	}
	session.Peer, _ = netip.ParseAddr(state.GetNeighborAddress()) // always valid: gobgp formatted it
	if e.door.blocks(session.Peer) {
		session.Dynamic, session.OverLimit = true, true
	}
	session.RouterID, _ = netip.ParseAddr(state.GetRouterId())
	timers := peer.GetTimers().GetState()
	if session.State == bgp.Established {
		session.Hold = time.Duration(timers.GetNegotiatedHoldTime()) * time.Second
		session.KeepAlive = time.Duration(timers.GetKeepaliveInterval()) * time.Second
		session.In, session.Out = state.GetMessages().GetReceived().GetTotal(), state.GetMessages().GetSent().GetTotal()
	}
	for _, family := range peer.GetAfiSafis() {
		session.Received += family.GetState().GetReceived()
		session.Accepted += family.GetState().GetAccepted()
	}
	if session.State == bgp.Established {
		session.Advertised = e.collector.table.advertisedTo(session.Peer, e.set)
	}
	if peer.GetBfd().GetEnabled() {
		session.Detection = detectionState(state.GetBfdState().GetSessionState())
		session.DetectionSettings = detectionOf(peer.GetBfd())
	}
	e.collector.fillHistory(&session)
	return session
}

// detectionOf is the inverse of [detection].
func detectionOf(config *api.BfdPeerConfig) bgp.Detection {
	return bgp.Detection{
		Interval:   time.Duration(config.GetDesiredMinimumTxInterval()) * time.Microsecond,
		Multiplier: uint8(config.GetDetectionMultiplier()),
	}
}

func detectionState(state api.BfdSessionState) string {
	switch state {
	case api.BfdSessionState_BFD_SESSION_STATE_UP:
		return "up"
	case api.BfdSessionState_BFD_SESSION_STATE_INIT:
		return "init"
	}
	return "down"
}

func stateOf(state packet.FSMState) bgp.State {
	switch state {
	case packet.BGP_FSM_CONNECT:
		return bgp.Connect
	case packet.BGP_FSM_ACTIVE:
		return bgp.Active
	case packet.BGP_FSM_OPENSENT:
		return bgp.OpenSent
	case packet.BGP_FSM_OPENCONFIRM:
		return bgp.OpenConfirm
	case packet.BGP_FSM_ESTABLISHED:
		return bgp.Established
	}
	return bgp.Idle
}
