package message

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"

	"google.golang.org/protobuf/encoding/protojson"

	"fairlead.dev/agents/internal/bgp"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

const maxRoutes = int(agentv1.Limit_LIMIT_ANSWER_ROUTES)

// Reader is the part of an engine that is safe for any goroutine.
type Reader interface {
	Routes(ctx context.Context, query bgp.Query) (bgp.Page, error)
}

// Kernel reads routes of the kernel. It is safe for any goroutine.
type Kernel func(query bgp.Query) (*agentv1.KernelAnswer, error)

// Answer handles a query of the control plane for routes. Errors are part of the answer. Kernel is
// nil for a role that writes no kernel routes.
func Answer(ctx context.Context, engine Reader, kernel Kernel, question *agentv1.Question) *agentv1.AnswerRequest {
	answer := &agentv1.AnswerRequest{QuestionId: question.GetId()}
	if kernelQuestion := question.GetKernel(); kernelQuestion != nil {
		var err error
		if answer.Kernel, err = kernel.routes(kernelQuestion); err != nil {
			answer.Problem = err.Error()
		}
		return answer
	}
	routesQuestion := question.GetRoutes()
	if routesQuestion == nil {
		answer.Problem = "this version of the agent doesn't support this query"
		return answer
	}
	var err error
	if answer.Routes, err = routes(ctx, engine, routesQuestion); err != nil {
		answer.Problem = err.Error()
	}
	return answer
}

// Routes serves the same query over HTTP: ?covers=203.0.113.7, ?prefix=… or ?after=….
func Routes(engine Reader) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		words := r.URL.Query()
		question := &agentv1.RoutesQuestion{
			Covers: words.Get("covers"), Prefix: words.Get("prefix"), Longer: words.Has("longer"), After: words.Get("after"),
		}
		answer, err := routes(r.Context(), engine, question)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		data, err := protojson.Marshal(answer)
		if err != nil {
			http.Error(w, "Can't encode the routes: "+err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(data)
	})
}

func (k Kernel) routes(question *agentv1.RoutesQuestion) (*agentv1.KernelAnswer, error) {
	if k == nil {
		return nil, errors.New("this role writes no routes into the kernel")
	}
	query, err := parseQuery(question)
	if err != nil {
		return nil, err
	}
	return k(query)
}

func routes(ctx context.Context, engine Reader, question *agentv1.RoutesQuestion) (*agentv1.RoutesAnswer, error) {
	query, err := parseQuery(question)
	if err != nil {
		return nil, err
	}
	page, err := engine.Routes(ctx, query)
	if err != nil {
		return nil, err
	}
	answer := &agentv1.RoutesAnswer{Next: page.Next.String(), Known: uint64(page.Total)}
	for _, route := range page.Routes {
		offered := &agentv1.OfferedRoute{
			Prefix: route.Prefix.String(), NextHop: Text(route.NextHop), From: Text(route.From), Preference: route.Preference,
			Med: route.MED, AsPath: route.ASPath, Best: route.Best, Since: Timestamp(route.Since),
		}
		for _, community := range route.Communities {
			offered.Communities = append(offered.Communities, fmt.Sprintf("%d:%d", community>>16, community&0xffff))
		}
		if route.Refused {
			offered.Refused = "it is outside the accepted prefixes"
		}
		answer.Routes = append(answer.Routes, offered)
	}
	return answer, nil
}

func parseQuery(question *agentv1.RoutesQuestion) (query bgp.Query, err error) {
	query = bgp.Query{Longer: question.GetLonger(), Limit: int(min(question.GetMost(), uint32(maxRoutes)))}
	if text := question.GetCovers(); text != "" {
		if query.Covers, err = netip.ParseAddr(text); err != nil {
			return query, fmt.Errorf("%q is not an address", text)
		}
	}
	if text := question.GetPrefix(); text != "" {
		if query.Prefix, err = netip.ParsePrefix(text); err != nil {
			return query, fmt.Errorf("%q is not a prefix", text)
		}
	}
	query.After, err = bgp.ParseCursor(question.GetAfter())
	return query, err
}
