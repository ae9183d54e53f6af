package lab

import (
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// tally converts the clients' counters into series, one per metric, client and service. One goroutine owns
// it.
type tally struct {
	last map[flow]answered
}

type flow struct{ client, service string }

type answered struct {
	requests uint64
	at       time.Time
}

// series returns one point per series. Broken connections are reported as counted, from the client's start: a
// reader that adds them up can detect a client's restart.
func (t *tally) series(traffic []TrafficStatus, now time.Time) []*agentv1.SeriesPoints {
	var all []*agentv1.SeriesPoints
	heard := map[flow]answered{}
	for _, seen := range traffic {
		of := flow{seen.Client, seen.Service}
		point := func(metric string, value float64) {
			all = append(all, &agentv1.SeriesPoints{
				Metric: metric, Labels: map[string]string{"client": of.client, "service": of.service},
				AtMs: []int64{now.UnixMilli()}, Values: []float64{value},
			})
		}
		point("connectionsBroken", float64(seen.Broken))
		before, known := t.last[of]
		if seconds := now.Sub(before.at).Seconds(); known && seconds > 0 && seen.Requests >= before.requests {
			point("requestsPerSecond", float64(seen.Requests-before.requests)/seconds)
		}
		heard[of] = answered{seen.Requests, now}
	}
	t.last = heard // a client that missed a query has no rate at the next one: its interval is unknown
	return all
}
