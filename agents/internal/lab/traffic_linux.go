package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"fairlead.dev/agents/internal/lab/app"
)

// runningClients are the running clients. Only the owning goroutine calls it.
func (l *Lab) runningClients() (clients []string) {
	for _, name := range l.order {
		if m := l.members[name]; m.kind == client && m.process != nil {
			clients = append(clients, name)
		}
	}
	return clients
}

// traffic is the traffic of all clients, safe for any goroutine.
func (l *Lab) traffic(ctx context.Context) ([]TrafficStatus, error) {
	var clients []string
	if err := l.do(ctx, func() error { clients = l.runningClients(); return nil }); err != nil {
		return nil, err
	}
	return l.readTraffic(ctx, clients), nil
}

// readTraffic queries all clients at once. A frozen or restarting client is left out.
func (l *Lab) readTraffic(ctx context.Context, clients []string) []TrafficStatus {
	found := make([][]TrafficStatus, len(clients))
	var queries sync.WaitGroup
	for i, name := range clients {
		queries.Go(func() {
			counts, err := readCounts(ctx, l.folder.at(name, "counts.sock"))
			if err != nil {
				return
			}
			for service, c := range counts {
				found[i] = append(found[i], TrafficStatus{name, service, c})
			}
		})
	}
	queries.Wait()
	all := slices.Concat(found...)
	slices.SortFunc(all, func(a, b TrafficStatus) int {
		return slices.Compare([]string{a.Client, a.Service}, []string{b.Client, b.Service})
	})
	return all
}

// overSocket returns an HTTP client that always connects to one socket.
func overSocket(path string, timeout time.Duration) *http.Client {
	return &http.Client{
		Timeout: timeout,
		Transport: &http.Transport{
			DisableKeepAlives: true,
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, "unix", path)
			},
		},
	}
}

func readCounts(ctx context.Context, socket string) (map[string]app.ServiceCounts, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://counts/", nil)
	if err != nil {
		return nil, err
	}
	response, err := overSocket(socket, time.Second).Do(request)
	if err != nil {
		return nil, fmt.Errorf("read a client's counts: %w", err)
	}
	counts := map[string]app.ServiceCounts{}
	err = json.NewDecoder(response.Body).Decode(&counts)
	return counts, errors.Join(err, response.Body.Close())
}
