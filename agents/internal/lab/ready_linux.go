package lab

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"fairlead.dev/agents/internal/netspace"
)

const (
	readyEvery   = 100 * time.Millisecond
	readyTimeout = time.Second // generous: a busy machine is not a failed balancer
	bodyMost     = 1 << 20
)

// readiness is what a balancer reported, or that it didn't reply.
type readiness struct {
	name   string
	ready  bool
	why    string // why it isn't ready
	own    bool   // it lists the addresses it serves; other balancers carry all
	serves string // addresses, a line each
}

// watchReady polls a balancer until the context ends, and reports each change.
func (l *Lab) watchReady(ctx context.Context, name string, space *netspace.Space) {
	client := &http.Client{
		Timeout: readyTimeout,
		Transport: &http.Transport{
			MaxIdleConns: 1,
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				return space.Dial(ctx, network, address)
			},
		},
	}
	defer client.CloseIdleConnections()
	every := time.NewTicker(readyEvery)
	defer every.Stop()
	last := readiness{name: name, why: "it was not probed yet"}
	for {
		now := l.probe(ctx, client, name)
		if now != last {
			select {
			case l.readiness <- now:
				last = now
			case <-ctx.Done():
				return
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
	}
}

// probe queries for which addresses our own balancers are ready, and whether others are.
func (l *Lab) probe(ctx context.Context, client *http.Client, name string) readiness {
	own := l.topology.Command == nil
	page := "/readyz"
	if own {
		page = "/addresses"
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+metricsAddress+page, nil)
	if err != nil {
		return readiness{name: name, why: err.Error()}
	}
	response, err := client.Do(request)
	if err != nil {
		return readiness{name: name, why: "it doesn't answer"}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, bodyMost))
	switch {
	case response.StatusCode != http.StatusOK:
		return readiness{name: name, why: strings.TrimSpace(fmt.Sprintf("it reports: %s", body))}
	case err != nil || len(body) == bodyMost:
		return readiness{name: name, why: "its answer doesn't end"}
	case own:
		return readiness{name: name, ready: true, own: true, serves: string(body)}
	}
	return readiness{name: name, ready: true}
}

// addresses is nil if it carries all.
func (r readiness) addresses() []netip.Addr {
	if !r.own {
		return nil
	}
	list := []netip.Addr{}
	for line := range strings.Lines(r.serves) {
		if address, err := netip.ParseAddr(strings.TrimSpace(line)); err == nil {
			list = append(list, address)
		}
	}
	return list
}

// patience is how long clients wait for the last balancer after the first.
const patience = 5 * time.Second

// carried reports whether clients may start. All balancers should be ready: the router moves some connections
// to a balancer added later. If that one doesn't have the backends' health yet, it may choose other backends.
func (l *Lab) carried(now time.Time) bool {
	all, some := true, false
	for _, m := range l.members {
		if m.kind == balancer {
			serves := l.carries(m) && l.routed(m)
			all, some = all && serves, some || serves
		}
	}
	if !some {
		l.since = time.Time{}
	} else if l.since.IsZero() {
		l.since = now
	}
	return some && (all || now.Sub(l.since) >= patience)
}
