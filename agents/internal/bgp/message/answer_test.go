package message_test

import (
	"context"
	"errors"
	"net/netip"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/message"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// reader records the query.
type reader struct {
	query bgp.Query
	page  bgp.Page
	err   error
}

func (r *reader) Routes(_ context.Context, query bgp.Query) (bgp.Page, error) {
	r.query = query
	return r.page, r.err
}

func TestAnswerReturnsRoutes(t *testing.T) {
	prefix, hop, peer := netip.MustParsePrefix("203.0.113.7/32"), netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("10.0.0.9")
	since := time.Unix(1_700_000_000, 0)
	route := bgp.Route{
		Prefix: prefix, NextHop: hop, From: peer, PathID: 3, Preference: 200, MED: 7, ASPath: []uint32{65100},
		Communities: []bgp.Community{65021<<16 | 100}, Best: true, Since: since,
	}
	engine := &reader{page: bgp.Page{Routes: []bgp.Route{route, {Prefix: prefix, Refused: true}}, Next: bgp.CursorOf(route), Total: 12}}
	got := message.Answer(t.Context(), engine, nil, &agentv1.Question{Id: "q1", Routes: &agentv1.RoutesQuestion{
		Covers: "203.0.113.7", Prefix: "203.0.113.0/24", Longer: true, After: bgp.CursorOf(route).String(), Most: 9_999,
	}})
	want := &agentv1.AnswerRequest{QuestionId: "q1", Routes: &agentv1.RoutesAnswer{
		Known: 12, Next: "203.0.113.7/32,0,10.0.0.1,10.0.0.9,3",
		Routes: []*agentv1.OfferedRoute{
			{
				Prefix: "203.0.113.7/32", NextHop: "10.0.0.1", From: "10.0.0.9", Preference: 200, Med: 7, AsPath: []uint32{65100},
				Communities: []string{"65021:100"}, Best: true, Since: timestamppb.New(since),
			},
			{Prefix: "203.0.113.7/32", Refused: "it is outside the accepted prefixes"},
		},
	}}
	if !proto.Equal(got, want) {
		t.Errorf("got answer %v", got)
	}
	query := bgp.Query{Covers: netip.MustParseAddr("203.0.113.7"), Prefix: netip.MustParsePrefix("203.0.113.0/24"), Longer: true, After: bgp.CursorOf(route), Limit: 200}
	if engine.query != query {
		t.Errorf("got query %+v", engine.query)
	}
}

func TestAnswerReportsTheProblem(t *testing.T) {
	off := &reader{err: errors.New("BGP has not started")}
	for want, question := range map[string]*agentv1.Question{
		`"here" is not an address`:                             {Routes: &agentv1.RoutesQuestion{Covers: "here"}},
		`"there" is not a prefix`:                              {Routes: &agentv1.RoutesQuestion{Prefix: "there"}},
		`"x" is not a valid cursor`:                            {Routes: &agentv1.RoutesQuestion{After: "x"}},
		"this role writes no routes into the kernel":           {Kernel: &agentv1.RoutesQuestion{}},
		"BGP has not started":                                  {Routes: &agentv1.RoutesQuestion{}},
		"this version of the agent doesn't support this query": {},
	} {
		if got := message.Answer(t.Context(), off, nil, question); got.GetProblem() != want || got.GetRoutes() != nil {
			t.Errorf("got answer %v, want %q", got, want)
		}
	}
}
