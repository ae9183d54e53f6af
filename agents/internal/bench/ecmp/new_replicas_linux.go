package ecmp

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// newReplicas measures how long a client waits for a reply through a new replica: from the start of its
// processes, and from when its balancer is ready and its speaker has a session. No other replica has the
// service.
func (r *replica) newReplicas(ctx context.Context, count int, print func(what string, took time.Duration)) error {
	service := at(services, firstOwn)
	if count > 0 {
		if _, err := r.speaker.configure(speaking(reflectorAddresses(), false, offered(service, servicePort))); err != nil {
			return err
		}
		if _, err := r.ready(service); err != nil {
			return err
		}
	}
	for i := range count {
		if err := r.newReplica(ctx, service, print); err != nil {
			return fmt.Errorf("new replica %d: %w", i+1, err)
		}
	}
	return nil
}

func (r *replica) newReplica(ctx context.Context, service netip.Addr, print func(string, time.Duration)) error {
	if err := r.reset(); err != nil {
		return err
	}
	if _, err := r.site.kernel.await(ctx, way{host32(service), r.balancer.address}, false, startMost); err != nil {
		return err
	}
	if err := pause(ctx, settleFor); err != nil {
		return err
	}
	answered := r.firstReply(ctx, service)
	began := time.Now()
	if err := r.balancer.start(); err != nil {
		return err
	}
	if err := r.speaker.start(); err != nil {
		return err
	}
	carries, err := r.balancer.awaitReadiness(ctx)
	if err != nil {
		return err
	}
	first := <-answered
	if first.err != nil {
		return first.err
	}
	connected, err := r.speaker.connectedSince(ctx)
	if err != nil {
		return err
	}
	ready := carries
	if connected.After(ready) {
		ready = connected
	}
	print(Begun, first.at.Sub(began))
	print(Joined, first.at.Sub(ready))
	return nil
}

// reset ends a replica and removes its state, so that the next one is new.
func (r *replica) reset() error {
	r.end()
	for _, m := range []*member{r.balancer, r.speaker} {
		if err := os.RemoveAll(filepath.Join(m.folder, "state")); err != nil {
			return err
		}
	}
	return os.RemoveAll(filepath.Join(pinned, r.site.network.name+"-"+replicaName))
}

// connectedSince returns when its first session to a reflector was established.
func (m *member) connectedSince(ctx context.Context) (first time.Time, err error) {
	_, err = m.await(ctx, "a session", startMost, func(report *agentv1.ReportRequest) bool {
		for _, session := range report.GetBgp().GetSessions() {
			if since := session.GetSince().AsTime(); session.GetState() == "established" && (first.IsZero() || since.Before(first)) {
				first = since
			}
		}
		return !first.IsZero()
	})
	return first, err
}

// awaitReadiness returns when a balancer first reports ready.
func (m *member) awaitReadiness(ctx context.Context) (time.Time, error) {
	ctx, stop := context.WithTimeout(ctx, startMost)
	defer stop()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+m.pages+"/readyz", nil)
		if err != nil {
			return time.Time{}, err
		}
		response, err := m.client.Do(request)
		if err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return time.Now(), nil
			}
		}
		if err := pause(ctx, 5*time.Millisecond); err != nil {
			return time.Time{}, fmt.Errorf("wait for %s to be ready: %w", m.name, err)
		}
	}
}
