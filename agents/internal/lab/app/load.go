package app

import (
	"context"
	"crypto/tls"
	"sync"
	"time"
)

// Load is traffic to one service.
type Load struct {
	Service               string   `json:"service"`
	Serve                 string   `json:"serve"`
	Addresses             []string `json:"addresses"`             // host:port each; connections use them in turn
	ServerNames           []string `json:"serverNames,omitempty"` // for TLS; each begins with the name of the server that must reply; connections use them in turn
	Connections           int      `json:"connections"`
	PerSecond             float64  `json:"perSecond"`
	RequestsPerConnection int      `json:"requestsPerConnection"` // 0: for ever
	Waits                 bool     `json:"waits,omitempty"`       // connects that fail count only once one succeeded
}

// visits are the connections of a client with one TLS session. Then it begins another one, as a new user would:
// otherwise the first backends would have all sessions for ever.
const visits = 20

// retryAfter limits how often a service that refuses connections is tried.
const retryAfter = 200 * time.Millisecond

// Run sends the traffic of all loads until the context ends, and counts it.
func Run(ctx context.Context, loads []Load, counts *Counts) {
	var running sync.WaitGroup
	for _, load := range loads {
		meter := counts.meter(load.Service)
		for i := range load.Connections {
			address, serverName := load.Addresses[i%len(load.Addresses)], ""
			if len(load.ServerNames) > 0 {
				serverName = load.ServerNames[i/len(load.Addresses)%len(load.ServerNames)]
			}
			// Spread over the pause, so that they don't all send at the same moment.
			pause := time.Duration(float64(time.Second) * float64(load.Connections) / max(load.PerSecond, 1e-6))
			first := time.Duration(float64(pause) * float64(i) / float64(load.Connections))
			// Nor reconnect at the same moment: each first connection ends after a different number of
			// requests.
			requests := 0
			if load.RequestsPerConnection > 0 {
				requests = i / len(load.Addresses) % load.RequestsPerConnection
			}
			running.Go(func() { steady(ctx, load, address, serverName, first, pause, requests, meter) })
		}
	}
	running.Wait()
}

// steady is one connection after the other.
func steady(ctx context.Context, load Load, address, serverName string, first, pause time.Duration, requests int, meter *meter) {
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
	var sessions tls.ClientSessionCache
	if load.Serve == "tls" && serverName == "" { // with a name, each certificate is checked
		sessions = tls.NewLRUClientSessionCache(1)
	}
	home := "" // the server of the previous connection
	waits := load.Waits
	for visit := 1; wait(next); visit++ {
		if sessions != nil && visit%visits == 0 {
			sessions, home = tls.NewLRUClientSessionCache(1), ""
		}
		conn, err := dial(ctx, load.Serve, address, serverName, sessions)
		if err != nil {
			if ctx.Err() == nil && !waits {
				meter.failed(err)
			}
			next = time.Now().Add(max(pause, retryAfter))
			continue
		}
		waits = false
		meter.opened()
		established, owner := time.Now(), ""
		// A balancer may not move a connection, so its end before ours counts as broken.
		stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
		for requests++; ; requests++ {
			began := time.Now()
			name, err := conn.request(began)
			if ctx.Err() != nil {
				break
			}
			// Balancers that read HTTP may choose a backend per request.
			if err == nil && owner != "" && name != owner && load.Serve != "http" {
				err = movedError{owner, name}
			}
			if err != nil {
				meter.broke(Break{
					At: time.Now(), Client: conn.LocalAddr().String(), Service: address, Backend: owner,
					Age: time.Since(established), How: howOf(err), Error: err.Error(),
				})
				next = time.Now().Add(retryAfter)
				break
			}
			if owner == "" && sessions != nil {
				if home != "" {
					meter.returned(conn.resumed, name == home)
				}
				home = name
			}
			owner = name
			meter.answered(name, time.Since(began))
			// Missed requests are not sent later: this is steady traffic, not a burst.
			if next = next.Add(pause); time.Until(next) < -pause {
				next = time.Now()
			}
			if requests == load.RequestsPerConnection || !wait(next) {
				break
			}
		}
		requests = 0
		stop()
		_ = conn.Close()
		meter.closed()
	}
}
