package message_test

import (
	"net/netip"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/message"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

func TestHistoryReturnsEachTransitionOnce(t *testing.T) {
	var history message.History
	peer, at := netip.MustParseAddr("10.0.0.11"), time.Unix(1_800_000_000, 0)
	for n := range 5 {
		later := at.Add(time.Duration(n) * time.Second)
		history.Sessions([]bgp.Transition{
			{At: later, Peer: peer, AS: 65021, From: bgp.Established, State: bgp.Idle, Reason: "the peer closed the session"},
			{At: later, Peer: peer, AS: 65021, From: bgp.OpenConfirm, State: bgp.Established},
		})
	}
	if history.Len() != 10 {
		t.Errorf("%d are waiting", history.Len())
	}
	reported := history.Take()
	if len(reported) != 10 || reported[8].GetFrom() != "established" || reported[8].GetTo() != "idle" || reported[8].GetReason() != "the peer closed the session" ||
		reported[9].GetFrom() != "open-confirm" || reported[9].GetTo() != "established" || !reported[9].GetAt().AsTime().Equal(at.Add(4*time.Second)) {
		t.Errorf("got %v", reported)
	}
	if again := history.Take(); len(again) > 0 {
		t.Errorf("returned again: %v", again)
	}
}

func TestHistoryDropsTheOldest(t *testing.T) {
	var history message.History
	most := int(agentv1.Limit_LIMIT_REPORT_TRANSITIONS)
	for n := range 3*most + 7 {
		history.Add(&agentv1.BgpTransition{As: uint32(n)})
	}
	if reported := history.Take(); len(reported) != most || reported[0].GetAs() != uint32(2*most+7) {
		t.Errorf("got %d, the first %v", len(reported), reported[0])
	}
}
