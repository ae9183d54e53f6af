package adaptive

import (
	"context"
	"errors"
	"time"
)

const (
	eventAfter = time.Second     // from the start of what is measured
	afterEvent = 3 * time.Second // how long it is measured at least
	settle     = 300 * time.Millisecond
)

// measure is one turn.
func (l *lab) measure(ctx context.Context, options Options, scenario *Scenario, subject string, round int) (turn Turn, err error) {
	turn = Turn{Round: round, Scenario: scenario.Name, Subject: subject}
	warmup, length := options.Warmup, options.For
	if scenario.Event != "" {
		length = max(length, eventAfter+afterEvent)
	}
	event := warmup + eventAfter
	if scenario.Event == coldStart {
		warmup, event = 0, 0
		if err := l.restartAgents(ctx); err != nil {
			return turn, err
		}
	}
	service, undo, err := l.install(ctx, subject, scenario.Over)
	defer func() { err = errors.Join(err, undo()) }()
	if err != nil {
		return turn, err
	}
	begin := time.Now().Add(settle)
	type outcome struct {
		node   int
		result turnResult
		err    error
	}
	outcomes := make(chan outcome, nodes)
	for _, n := range l.nodes {
		order := turnOrder{
			Subject: subject, Over: scenario.Over, Start: begin, Warmup: warmup, For: length,
			Users: scenario.users(n.index), Rate: scenario.rate(n.index), Service: service, Seed: uint64(round*nodes + n.index),
		}
		if scenario.Event == surge && n.index == 0 {
			order.SurgeAfter = event
		}
		for i, one := range l.nodes {
			order.Servers[i] = one.server.pid()
		}
		go func() {
			var result turnResult
			err := n.clients.order(order, &result)
			outcomes <- outcome{n.index, result, err}
		}()
	}
	observed := l.observe(begin.Add(warmup), length)
	var during error
	if scenario.Event != "" && scenario.Event != coldStart {
		during = l.during(ctx, scenario.Event, begin.Add(event))
		event = time.Since(begin)
	}
	results := make([]turnResult, nodes)
	for range nodes {
		one := <-outcomes
		results[one.node] = one.result
		during = errors.Join(during, one.err)
	}
	used := <-observed
	if during = errors.Join(during, used.err, l.restore(ctx, scenario.Event)); during != nil {
		return turn, during
	}
	turn.summarize(results, warmup, length)
	if scenario.Event != "" {
		turn.recover(results, event, warmup+length)
	}
	turn.IdleShare, turn.Cores = used.idleShare, used.cores
	turn.Void = turn.void()
	return turn, ctx.Err()
}

// during makes the event happen.
func (l *lab) during(ctx context.Context, event Event, at time.Time) (err error) {
	if err := pause(ctx, time.Until(at)); err != nil {
		return err
	}
	first := l.nodes[0]
	switch event {
	case slowNode:
		return first.server.order(serverOrder{SlowBy: slowBy}, nil)
	case busyNeighbour:
		first.neighbour, err = start(first.space, NeighbourCommand, first.limited(neighbourPart))
		return err
	case killedPod:
		return first.server.kill()
	}
	return nil
}

// restore undoes the event.
func (l *lab) restore(ctx context.Context, event Event) (err error) {
	first := l.nodes[0]
	switch event {
	case slowNode:
		return first.server.order(serverOrder{SlowBy: 1}, nil)
	case busyNeighbour:
		p := first.neighbour
		if p == nil { // it never began
			return nil
		}
		first.neighbour = nil
		return p.stop()
	case killedPod:
		if err := first.startServer(); err != nil {
			return err
		}
		return l.await(ctx, "the server is up again", (*node).isInformed)
	}
	return nil
}
