package ecmp

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// Service addresses of backends that become ready. Each is new, because route damping holds back one that
// flaps.
const (
	firstOwn = 20
	ownCount = 230
)

// answers measures the time from when the replica's config has a ready backend until a client gets a reply.
// No other replica has the service, so every reply comes through this one.
func (s *site) answers(ctx context.Context, count, newReplicas int, print func(what string, took time.Duration)) error {
	if count+newReplicas == 0 {
		return nil
	}
	r, err := s.addReplica(ctx)
	if err != nil {
		return fmt.Errorf("build a replica: %w", err)
	}
	defer r.end()
	for i := range count {
		if err := r.answer(ctx, i, print); err != nil {
			return fmt.Errorf("backend %d: %w", i+1, err)
		}
	}
	return r.newReplicas(ctx, newReplicas, print)
}

func (r *replica) answer(ctx context.Context, i int, print func(string, time.Duration)) error {
	service := at(services, firstOwn+1+i%ownCount)
	if err := r.backend.serve(ctx, service); err != nil {
		return err
	}
	if err := r.expect(service); err != nil {
		return err
	}
	if _, err := r.announced(ctx, service, "withdrawn", time.Time{}); err != nil {
		return err
	}
	// At a random time relative to the next probe.
	if err := pause(ctx, settleFor+rand.N(settleFor)); err != nil {
		return err
	}
	answered := r.firstReply(ctx, service)
	ready, err := r.ready(service)
	if err != nil {
		return err
	}
	first := <-answered
	if first.err != nil {
		return first.err
	}
	routed, err := r.site.kernel.await(ctx, way{host32(service), r.balancer.address}, true, followMost)
	if err != nil {
		return err
	}
	probed, err := r.announced(ctx, service, "offered", ready)
	if err != nil {
		return err
	}
	print(Answered, first.at.Sub(ready))
	print(Probed, probed.Sub(ready))
	print(Routed, routed.Sub(probed))
	print(Asked, first.at.Sub(routed))
	return nil
}

// outcome is when a client got a reply.
type outcome struct {
	at  time.Time
	err error
}

// firstReply sends requests from the client until it gets a reply.
func (r *replica) firstReply(ctx context.Context, service netip.Addr) <-chan outcome {
	answered := make(chan outcome, 1)
	go func() {
		at, err := r.client.request(ctx, service)
		answered <- outcome{at, err}
	}()
	return answered
}

// announced waits for a state of the service's announcement, and returns its time.
func (r *replica) announced(ctx context.Context, service netip.Addr, state string, after time.Time) (since time.Time, err error) {
	_, err = r.speaker.await(ctx, state+" of "+service.String(), startMost, func(report *agentv1.ReportRequest) bool {
		for _, one := range report.GetBgp().GetAnnouncements() {
			since = one.GetSince().AsTime()
			return one.GetPrefix() == host32(service).String() && one.GetState() == state && !since.Before(after)
		}
		return false
	})
	return since, err
}
