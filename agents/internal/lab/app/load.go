package app

import (
	"context"
	"sync"
	"time"
)

// Load is traffic to one service.
type Load struct {
	Service               string   `json:"service"`
	Serve                 string   `json:"serve"`
	Addresses             []string `json:"addresses"` // host:port each; connections take turns
	Connections           int      `json:"connections"`
	PerSecond             float64  `json:"perSecond"`
	RequestsPerConnection int      `json:"requestsPerConnection"` // 0: for ever
}

// retryAfter keeps a service that refuses from being hammered.
const retryAfter = 200 * time.Millisecond

// Run makes the traffic of all loads until the context ends, and counts.
func Run(ctx context.Context, loads []Load, counts *Counts) {
	var running sync.WaitGroup
	for _, load := range loads {
		meter := counts.meter(load.Service)
		for i := range load.Connections {
			address := load.Addresses[i%len(load.Addresses)]
			// Spread over the pause, so that they don't all ask at the same moment.
			pause := time.Duration(float64(time.Second) * float64(load.Connections) / max(load.PerSecond, 1e-6))
			first := time.Duration(float64(pause) * float64(i) / float64(load.Connections))
			running.Go(func() { steady(ctx, load, address, first, pause, meter) })
		}
	}
	running.Wait()
}

// steady is one connection after the other.
func steady(ctx context.Context, load Load, address string, first, pause time.Duration, meter *meter) {
	due := time.NewTimer(first)
	defer due.Stop()
	next := time.Now().Add(first)
	wait := func(at time.Time) bool {
		due.Reset(time.Until(at))
		select {
		case <-ctx.Done():
			return false
		case <-due.C:
			return true
		}
	}
	for wait(next) {
		conn, err := dial(ctx, load.Serve, address)
		if err != nil {
			if ctx.Err() == nil {
				meter.failed(err)
			}
			next = time.Now().Add(max(pause, retryAfter))
			continue
		}
		meter.opened()
		// A balancer may not move a connection, so its end before ours is a break.
		stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
		for asked := 1; ; asked++ {
			began := time.Now()
			name, err := conn.ask(began)
			if ctx.Err() != nil {
				break
			}
			if err != nil {
				meter.broke(err)
				next = time.Now().Add(retryAfter)
				break
			}
			meter.answered(name, time.Since(began))
			// Late ones are not made up for: it is steady traffic, not a flood.
			if next = next.Add(pause); time.Until(next) < -pause {
				next = time.Now()
			}
			if asked == load.RequestsPerConnection || !wait(next) {
				break
			}
		}
		stop()
		_ = conn.Close()
		meter.closed()
	}
}
