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
	askEvery   = 10 * time.Millisecond
	askPatient = 5 * time.Second
)

// Asked holds the response times of one agent during one phase.
type Asked struct {
	Role    string    `json:"role"`
	Phase   string    `json:"phase"` // "loading", "withdrawing"
	Millis  []float64 `json:"millis"`
	Failed  int       `json:"failed"`
	Problem string    `json:"problem,omitempty"` // the last one
}

// questioner repeatedly queries one agent, alternating between an address and a page.
type questioner struct {
	asked Asked
	known func(known uint64, at time.Time) // called with every reply
	stop  context.CancelFunc
	ended sync.WaitGroup
}

func question(ctx context.Context, of *agent, phase string, prefixes []netip.Prefix, known func(uint64, time.Time)) *questioner {
	ctx, stop := context.WithCancel(ctx)
	q := &questioner{asked: Asked{Role: of.role, Phase: phase}, known: known, stop: stop}
	q.ended.Go(func() {
		ticker := time.NewTicker(askEvery)
		defer ticker.Stop()
		after := ""
		for n := 0; ; n++ {
			words := url.Values{"covers": {prefixes[n*7%len(prefixes)].Addr().String()}}
			if n%2 == 1 {
				words = url.Values{"after": {after}}
			}
			if answer := q.once(ctx, of, words); answer != nil && n%2 == 1 {
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

func (q *questioner) once(parent context.Context, of *agent, words url.Values) *agentv1.RoutesAnswer {
	ctx, cancel := context.WithTimeout(parent, askPatient)
	defer cancel()
	began := time.Now()
	answer, err := of.query(ctx, words)
	at := time.Now()
	switch {
	case parent.Err() != nil: // the phase is over
		return nil
	case err != nil:
		q.asked.Failed++
		q.asked.Problem = err.Error()
		return nil
	}
	q.asked.Millis = append(q.asked.Millis, float64(at.Sub(began).Microseconds())/1000)
	q.known(answer.GetKnown(), at)
	return answer
}

// end stops the queries and returns the result.
func (q *questioner) end() Asked {
	q.stop()
	q.ended.Wait()
	return q.asked
}
