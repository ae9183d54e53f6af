package router_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"fairlead.dev/agents/internal/bgp/message"
	"fairlead.dev/agents/internal/fib"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/router"
)

// thousand has one route more than a report can hold, and a prefix that contains them all.
func thousand() map[netip.Prefix][]fib.Hop {
	routes := map[netip.Prefix][]fib.Hop{netip.MustParsePrefix("198.18.0.0/15"): {{Via: a, Weight: 1}}}
	for i := range 1_000 {
		routes[netip.PrefixFrom(netip.AddrFrom4([4]byte{198, 18, byte(i >> 8), byte(i)}), 32)] = []fib.Hop{{Via: a, Weight: 1}, {Via: b, Weight: 3}}
	}
	return routes
}

func queryKernel(question *agentv1.RoutesQuestion, read func() (map[netip.Prefix][]fib.Hop, error)) *agentv1.AnswerRequest {
	return message.Answer(context.Background(), nil, router.Kernel(read), &agentv1.Question{Id: "q1", Kernel: question})
}

func TestPagesContainEveryKernelRoute(t *testing.T) {
	read := func() (map[netip.Prefix][]fib.Hop, error) { return thousand(), nil }
	prefixes, pages, after := []string{}, 0, ""
	for ; pages == 0 || after != ""; pages++ {
		answer := queryKernel(&agentv1.RoutesQuestion{After: after, Most: 9_999}, read).GetKernel()
		if answer.GetKnown() != 1_001 || pages > 6 {
			t.Fatalf("page %d: total is %d", pages, answer.GetKnown())
		}
		for _, route := range answer.GetRoutes() {
			prefixes = append(prefixes, route.GetPrefix())
		}
		after = answer.GetNext()
	}
	if distinct := len(slices.Compact(slices.Sorted(slices.Values(prefixes)))); len(prefixes) != 1_001 || distinct != 1_001 || pages != 6 {
		t.Errorf("got %d routes, %d of them distinct, on %d pages", len(prefixes), distinct, pages)
	}
	if prefixes[0] != "198.18.0.0/15" || prefixes[1] != "198.18.0.0/32" || prefixes[1_000] != "198.18.3.231/32" {
		t.Errorf("the first are %v, the last %v", prefixes[:2], prefixes[1_000])
	}
}

func TestKernelRoutesAreFound(t *testing.T) {
	wide := &agentv1.KernelRoute{Prefix: "198.18.0.0/15", NextHops: []*agentv1.NextHop{{Address: "10.0.0.1", Weight: 1}}}
	last := &agentv1.KernelRoute{Prefix: "198.18.3.231/32", NextHops: []*agentv1.NextHop{{Address: "10.0.0.1", Weight: 1}, {Address: "10.0.0.2", Weight: 3}}}
	for name, c := range map[string]struct {
		question *agentv1.RoutesQuestion
		want     []*agentv1.KernelRoute
	}{
		"by an address":         {&agentv1.RoutesQuestion{Covers: "198.18.3.231"}, []*agentv1.KernelRoute{wide, last}},
		"by an address in IPv6": {&agentv1.RoutesQuestion{Covers: "::ffff:198.18.3.231"}, []*agentv1.KernelRoute{wide, last}},
		"by its prefix":         {&agentv1.RoutesQuestion{Prefix: "198.18.3.231/32"}, []*agentv1.KernelRoute{last}},
		"by a wider prefix":     {&agentv1.RoutesQuestion{Prefix: "198.18.3.231/31", Longer: true, After: "198.18.3.230/32,0,,,0"}, []*agentv1.KernelRoute{last}},
		"no match":              {&agentv1.RoutesQuestion{Covers: "203.0.113.7"}, nil},
		"after the last":        {&agentv1.RoutesQuestion{After: "198.18.3.231/32,0,,,0"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := queryKernel(c.question, func() (map[netip.Prefix][]fib.Hop, error) { return thousand(), nil })
			want := &agentv1.AnswerRequest{QuestionId: "q1", Kernel: &agentv1.KernelAnswer{Routes: c.want, Known: 1_001}}
			if !proto.Equal(got, want) {
				t.Errorf("got answer %v", got)
			}
		})
	}
}

func TestKernelErrorsAreReported(t *testing.T) {
	unread := func() (map[netip.Prefix][]fib.Hop, error) {
		return nil, fmt.Errorf("read routes: %w", errors.ErrUnsupported)
	}
	for want, question := range map[string]*agentv1.RoutesQuestion{
		"read routes: unsupported operation": {},
		`"here" is not an address`:           {Covers: "here"},
	} {
		if got := queryKernel(question, unread); got.GetProblem() != want || got.GetKernel() != nil {
			t.Errorf("got answer %v, want %q", got, want)
		}
	}
}
