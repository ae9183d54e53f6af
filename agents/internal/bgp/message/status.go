package message

import (
	"net/netip"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"fairlead.dev/agents/internal/bgp"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/hostaddress"
)

// Status is the part of the report that all BGP roles share. A role that is off reports only the
// address of the interface.
func Status(iface string, on bool, desired *bgp.Desired, sessions []bgp.Session) *agentv1.BgpStatus {
	status := new(agentv1.BgpStatus)
	if addresses, err := hostaddress.Of(iface); err == nil && len(addresses.All()) > 0 {
		status.Address = addresses.All()[0].String()
	}
	if !on {
		return status
	}
	status.As, status.RouterId = desired.AS, Text(desired.RouterID)
	for _, session := range sessions {
		status.Sessions = append(status.Sessions, &agentv1.BgpSession{
			Peer: session.Peer.String(), As: session.AS, RouterId: Text(session.RouterID),
			State: string(session.State), Since: Timestamp(session.Since), HoldSeconds: uint32(session.Hold / time.Second),
			Received: session.Received, Accepted: session.Accepted, Advertised: session.Advertised, EstablishedCount: session.EstablishedCount,
			Detection: session.Detection, LastError: session.LastError, Full: session.OverLimit, Called: session.Dynamic,
			KeepaliveSeconds: uint32(session.KeepAlive / time.Second), MessagesIn: session.In, MessagesOut: session.Out,
			DetectIntervalMs: uint32(session.DetectionSettings.Interval / time.Millisecond), DetectMultiplier: uint32(session.DetectionSettings.Multiplier),
		})
	}
	return status
}

// Updates adds route updates to a report.
func Updates(to *agentv1.BgpStatus, updates []bgp.Update) {
	for _, one := range updates {
		to.Updates = append(to.Updates, &agentv1.RouteUpdate{
			Prefix: one.Prefix.String(), NextHop: Text(one.NextHop), Withdrawn: one.Withdrawn, Step: string(one.Step), At: Timestamp(one.At),
		})
	}
}

// Timestamp is nil for the zero time.
func Timestamp(at time.Time) *timestamppb.Timestamp {
	if at.IsZero() {
		return nil
	}
	return timestamppb.New(at)
}

// Text is empty for an invalid address.
func Text(address netip.Addr) string {
	if !address.IsValid() {
		return ""
	}
	return address.String()
}
