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
	orders := make([]turnOrder, nodes)
	for _, n := range l.nodes {
		order := scenario.order(n.index, subject, round, begin, warmup, length)
		order.Over, order.Service = scenario.Over, service
		if scenario.Event == surge && n.index == 0 {
			order.SurgeAfter = event
		}
		for i, one := range l.nodes {
			order.Servers[i] = one.server.pid()
		}
		orders[n.index] = order
	}
	await := sendTurn(orders, func(node int) orderer { return l.nodes[node].clientsOf(scenario) })
	observed := l.observe(begin.Add(warmup), length)
	var during error
	if scenario.Event != "" && scenario.Event != coldStart {
		during = l.during(ctx, scenario.Event, begin.Add(event))
		event = time.Since(begin)
	}
	results, err := await()
	used := <-observed
	if during = errors.Join(during, err, used.err, l.restore(ctx, scenario.Event)); during != nil {
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

// clientsOf are at the node, or enter there from outside.
func (n *node) clientsOf(scenario *Scenario) *process {
	if scenario.Outside {
		return n.outside.clients
	}
	return n.clients
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
		if first.neighbour, err = start(first.space, NeighbourCommand, first.limited(neighbourPart)); err != nil {
			return err
		}
		return first.neighbour.order(neighbourOrder{IsBusy: true}, nil)
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
