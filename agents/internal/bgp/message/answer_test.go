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

// reader remembers what it was asked for.
type reader struct {
	asked bgp.Query
	page  bgp.Page
	err   error
}

func (r *reader) Routes(_ context.Context, query bgp.Query) (bgp.Page, error) {
	r.asked = query
	return r.page, r.err
}

func TestAQuestionAboutRoutesIsAnswered(t *testing.T) {
	prefix, hop, peer := netip.MustParsePrefix("203.0.113.7/32"), netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("10.0.0.9")
	since := time.Unix(1_700_000_000, 0)
	route := bgp.Route{
		Prefix: prefix, NextHop: hop, From: peer, Number: 3, Preference: 200, MED: 7, ASPath: []uint32{65100},
		Communities: []bgp.Community{65021<<16 | 100}, Best: true, Since: since,
	}
	engine := &reader{page: bgp.Page{Routes: []bgp.Route{route, {Prefix: prefix, Refused: true}}, Next: bgp.PlaceOf(route), Known: 12}}
	got := message.Answer(t.Context(), engine, nil, &agentv1.Question{Id: "q1", Routes: &agentv1.RoutesQuestion{
		Covers: "203.0.113.7", Prefix: "203.0.113.0/24", Longer: true, After: bgp.PlaceOf(route).String(), Most: 9_999,
	}})
	want := &agentv1.AnswerRequest{QuestionId: "q1", Routes: &agentv1.RoutesAnswer{
		Known: 12, Next: "203.0.113.7/32,0,10.0.0.1,10.0.0.9,3",
		Routes: []*agentv1.OfferedRoute{
			{
				Prefix: "203.0.113.7/32", NextHop: "10.0.0.1", From: "10.0.0.9", Preference: 200, Med: 7, AsPath: []uint32{65100},
				Communities: []string{"65021:100"}, Best: true, Since: timestamppb.New(since),
			},
			{Prefix: "203.0.113.7/32", Refused: "it lies in none of the prefixes that are let in"},
		},
	}}
	if !proto.Equal(got, want) {
		t.Errorf("answered was %v", got)
	}
	asked := bgp.Query{Covers: netip.MustParseAddr("203.0.113.7"), Prefix: netip.MustParsePrefix("203.0.113.0/24"), Longer: true, After: bgp.PlaceOf(route), Most: 200}
	if engine.asked != asked {
		t.Errorf("asked was %+v", engine.asked)
	}
}

func TestAQuestionThatHasNoAnswerIsToldWhy(t *testing.T) {
	off := &reader{err: errors.New("BGP has not started")}
	for want, question := range map[string]*agentv1.Question{
		`"here" is no address`:                                 {Routes: &agentv1.RoutesQuestion{Covers: "here"}},
		`"there" is no prefix`:                                 {Routes: &agentv1.RoutesQuestion{Prefix: "there"}},
		`"x" is no place in a table`:                           {Routes: &agentv1.RoutesQuestion{After: "x"}},
		"this role writes no routes into the kernel":           {Kernel: &agentv1.RoutesQuestion{}},
		"BGP has not started":                                  {Routes: &agentv1.RoutesQuestion{}},
		"this version of the agent doesn't know what is asked": {},
	} {
		if got := message.Answer(t.Context(), off, nil, question); got.GetProblem() != want || got.GetRoutes() != nil {
			t.Errorf("answered was %v, not %q", got, want)
		}
	}
}
