package bgpscale

import (
	"context"
	"net/netip"
	"net/url"
	"sync"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

const (
	queryEvery   = 10 * time.Millisecond
	queryTimeout = 5 * time.Second
)

// ResponseTimes holds the response times of one agent during one phase.
type ResponseTimes struct {
	Role    string    `json:"role"`
	Phase   string    `json:"phase"` // "loading", "withdrawing"
	Millis  []float64 `json:"millis"`
	Failed  int       `json:"failed"`
	Problem string    `json:"problem,omitempty"` // the last one
}

// querier repeatedly queries one agent, alternating between an address and a page.
type querier struct {
	times ResponseTimes
	known func(known uint64, at time.Time) // called with every reply
	stop  context.CancelFunc
	ended sync.WaitGroup
}

func startQuerier(ctx context.Context, of *agent, phase string, prefixes []netip.Prefix, known func(uint64, time.Time)) *querier {
	ctx, stop := context.WithCancel(ctx)
	q := &querier{times: ResponseTimes{Role: of.role, Phase: phase}, known: known, stop: stop}
	q.ended.Go(func() {
		ticker := time.NewTicker(queryEvery)
		defer ticker.Stop()
		after := ""
		for n := 0; ; n++ {
			parameters := url.Values{"covers": {prefixes[n*7%len(prefixes)].Addr().String()}}
			if n%2 == 1 {
				parameters = url.Values{"after": {after}}
			}
			if answer := q.once(ctx, of, parameters); answer != nil && n%2 == 1 {
				after = answer.GetNext()
			}
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
		}
	})
	return q
}

func (q *querier) once(parent context.Context, of *agent, parameters url.Values) *agentv1.RoutesAnswer {
	ctx, cancel := context.WithTimeout(parent, queryTimeout)
	defer cancel()
	began := time.Now()
	answer, err := of.query(ctx, parameters)
	at := time.Now()
	switch {
	case parent.Err() != nil: // the phase is over
		return nil
	case err != nil:
		q.times.Failed++
		q.times.Problem = err.Error()
		return nil
	}
	q.times.Millis = append(q.times.Millis, float64(at.Sub(began).Microseconds())/1000)
	q.known(answer.GetKnown(), at)
	return answer
}

// end stops the queries and returns the result.
func (q *querier) end() ResponseTimes {
	q.stop()
	q.ended.Wait()
	return q.times
}
