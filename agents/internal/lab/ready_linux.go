package lab

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"fairlead.dev/agents/internal/netspace"
)

const (
	readyEvery   = 100 * time.Millisecond
	readyTimeout = time.Second // generous: a busy machine is not a dead balancer
)

// readiness is what a balancer said, or that it didn't.
type readiness struct {
	name  string
	ready bool
	why   string // not
}

// watchReady asks a balancer until the context ends, and tells each change.
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
	last := readiness{name: name, why: "it was not asked yet"}
	for {
		now := ask(ctx, client, name)
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

func ask(ctx context.Context, client *http.Client, name string) readiness {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+metricsAddress+"/readyz", nil)
	if err != nil {
		return readiness{name, false, err.Error()}
	}
	response, err := client.Do(request)
	if err != nil {
		return readiness{name, false, "it doesn't answer"}
	}
	defer response.Body.Close()
	said, _ := io.ReadAll(io.LimitReader(response.Body, 4096)) // what is missing of a sentence doesn't matter
	if response.StatusCode != http.StatusOK {
		return readiness{name, false, strings.TrimSpace(fmt.Sprintf("it says: %s", said))}
	}
	return readiness{name, true, ""}
}
