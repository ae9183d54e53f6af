package adaptive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

const (
	eventAfter = time.Second     // from the start of what is measured
	afterEvent = 3 * time.Second // how long it is measured at least
	settle     = 300 * time.Millisecond
	learnFor   = 4 // times the warm-up
)

// Run measures all subjects in all scenarios, and prints a line for each turn. The subjects of a scenario take turns within
// a round, so that figures of one round can be compared.
func Run(ctx context.Context, options Options, print func(Line)) error {
	chosen, err := chosenScenarios(options.Scenarios)
	if err != nil {
		return err
	}
	names, err := chosenSubjects(options.Subjects)
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		reason := leftOut(name)
		if reason != "" {
			print(Line{LeftOut: &LeftOut{name, reason}})
		}
		return reason != ""
	})
	for len(chosen) > 0 {
		same := 1
		for same < len(chosen) && chosen[same].Delay == chosen[0].Delay {
			same++
		}
		if err := runLab(ctx, options, chosen[:same], names, print); err != nil {
			return fmt.Errorf("nodes with a round trip of %v: %w", chosen[0].Delay, err)
		}
		chosen = chosen[same:]
	}
	return nil
}

func runLab(ctx context.Context, options Options, chosen []Scenario, names []string, print func(Line)) (err error) {
	l, err := newLab(ctx, chosen[0].Delay)
	defer func() { err = errors.Join(err, l.Close()) }()
	if err != nil {
		return err
	}
	if err := l.learn(ctx, options); err != nil {
		return err
	}
	for round := range options.Rounds {
		for i := range chosen {
			for j := range names {
				subject := names[(round+j)%len(names)]
				if !chosen[i].has(subject) {
					continue
				}
				turn, err := l.measure(ctx, options, &chosen[i], subject, round)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", chosen[i].Name, subject, err)
				}
				print(Line{Turn: &turn})
			}
		}
	}
	return nil
}

// learn lets agents measure how long requests take before the first turn. They start with a long time, which fades in
// seconds.
func (l *lab) learn(ctx context.Context, options Options) error {
	options.For = learnFor * options.Warmup
	_, err := l.measure(ctx, options, &Scenario{Users: allBusy}, sameNode, 0)
	return err
}

// measure is one turn.
func (l *lab) measure(ctx context.Context, options Options, scenario *Scenario, subject string, round int) (turn Turn, err error) {
	turn = Turn{Round: round, Scenario: scenario.Name, Subject: subject}
	length := options.For
	event := options.Warmup + eventAfter
	if scenario.Event != "" {
		length = max(length, eventAfter+afterEvent)
	}
	service, undo, err := l.install(ctx, subject)
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
			Subject: subject, Start: begin, Warmup: options.Warmup, For: length, Users: scenario.users(n.index), Rate: scenario.rate(n.index),
			Service: service, Seed: uint64(round*nodes + n.index),
		}
		if scenario.Event == surge && n.index == 0 {
			order.SurgeAfter = event
		}
		for i, one := range l.nodes {
			order.Servers[i] = one.server.command.Process.Pid
		}
		go func() {
			var result turnResult
			err := n.clients.order(order, &result)
			outcomes <- outcome{n.index, result, err}
		}()
	}
	idle := l.observe(begin.Add(options.Warmup), length)
	var during error
	if scenario.Event != "" {
		during = l.during(ctx, scenario.Event, begin.Add(event))
		event = time.Since(begin)
	}
	results := make([]turnResult, nodes)
	for range nodes {
		one := <-outcomes
		results[one.node] = one.result
		during = errors.Join(during, one.err)
	}
	if during = errors.Join(during, l.restore(ctx, scenario.Event)); during != nil {
		return turn, during
	}
	turn.summarize(results, options.Warmup, length)
	if scenario.Event != "" {
		turn.recover(results, event, options.Warmup+length)
	}
	turn.IdleShare = <-idle
	turn.Void = turn.void()
	return turn, ctx.Err()
}

// observe returns the share of the processors' time that is idle in the measured time.
func (l *lab) observe(from time.Time, length time.Duration) <-chan float64 {
	share := make(chan float64, 1)
	go func() {
		time.Sleep(time.Until(from))
		before, err := readProcessors()
		time.Sleep(length)
		after, err2 := readProcessors()
		if errors.Join(err, err2) != nil {
			share <- 0 // makes the turn void
			return
		}
		share <- after.idleShare(before)
	}()
	return share
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
