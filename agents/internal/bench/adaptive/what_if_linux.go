package adaptive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// runWhatIfs measures before and after each change.
func runWhatIfs(ctx context.Context, options Options, chosen []int, print func(Line)) error {
	for _, i := range chosen {
		if err := runWhatIf(ctx, options, i, print); err != nil {
			return fmt.Errorf("%s: %w", whatIfs[i].Name, err)
		}
	}
	return nil
}

func runWhatIf(ctx context.Context, options Options, i int, print func(Line)) (err error) {
	scenario, change := &whatIfs[i].Scenario, whatIfs[i].Change
	l, err := newLab(ctx, scenario.Delay)
	defer func() { err = errors.Join(err, l.Close()) }()
	if err != nil {
		return err
	}
	if err := l.learn(ctx, options, []Scenario{*scenario}); err != nil {
		return err
	}
	for round := range options.Rounds {
		one := WhatIf{Round: round, Scenario: scenario.Name, Change: change}
		reports := l.report(ctx, settle+options.Warmup, options.For)
		if one.Before, err = l.measure(ctx, options, scenario, Ours, round); err != nil {
			return err
		}
		reported := <-reports
		if one.Reports, err = reported.all, reported.err; err != nil {
			return err
		}
		if err := l.apply(ctx, scenario, change, true); err != nil {
			return err
		}
		// Agents learn how long requests take now.
		if _, err := l.measure(ctx, Options{Warmup: options.Warmup, For: learnFor * options.Warmup}, scenario, Ours, round); err != nil {
			return err
		}
		if one.After, err = l.measure(ctx, options, scenario, Ours, round); err != nil {
			return err
		}
		if err := l.apply(ctx, scenario, change, false); err != nil {
			return err
		}
		print(Line{WhatIf: &one})
	}
	return nil
}

type reported struct {
	all []Report
	err error
}

// report returns what agents report of the measured time.
func (l *lab) report(ctx context.Context, from, length time.Duration) <-chan reported {
	result := make(chan reported, 1)
	begin := time.Now()
	go func() {
		var r reported
		defer func() { result <- r }()
		for _, at := range []time.Duration{from, from + length} { // rates are since the previous report
			if r.err = pause(ctx, time.Until(begin.Add(at))); r.err != nil {
				return
			}
			r.all = nil
			for _, n := range l.nodes {
				text, _, err := n.status()
				if r.err = err; err != nil {
					return
				}
				r.all = append(r.all, Report{nameOf(n.index), text})
			}
		}
	}()
	return result
}

// apply makes a change, or undoes it, and returns when all agents know it.
func (l *lab) apply(ctx context.Context, scenario *Scenario, change Change, isNew bool) error {
	if change.RoundTripMs > 0 {
		before, roundTrip := scenario.Delay, time.Duration(change.RoundTripMs*float64(time.Millisecond))
		if !isNew {
			before, roundTrip = roundTrip, before
		}
		if err := l.delay(roundTrip); err != nil {
			return err
		}
		if roundTrip > before {
			if err := pause(ctx, shortestOf); err != nil {
				return err
			}
		}
		if err := l.await(ctx, "round trips are measured", func(n *node) (bool, error) { return n.measures(roundTrip) }); err != nil {
			return err
		}
	}
	for _, slowed := range change.Slowed {
		times := 1.0
		if isNew {
			times = slowed.Times
		}
		if err := l.named(slowed.NodeID).server.order(serverOrder{SlowBy: times}, nil); err != nil {
			return err
		}
	}
	for _, instances := range change.Instances {
		n := l.named(instances.NodeID)
		if isNew {
			if err := n.server.kill(); err != nil {
				return err
			}
			return l.await(ctx, "the server is down", func(each *node) (bool, error) { return each.offersNothingAt(n) })
		}
		if err := n.startServer(); err != nil {
			return err
		}
		return l.await(ctx, "the server is up again", (*node).isInformed)
	}
	return nil
}

func (l *lab) named(id string) *node {
	return l.nodes[slices.IndexFunc(l.nodes, func(n *node) bool { return nameOf(n.index) == id })]
}

// shortestOf is the time of which agents take the shortest round trip.
const shortestOf = 10 * time.Second

// nearly is how close a measured round trip is to that of the lines at least.
const nearly = 1.25

func (n *node) measures(roundTrip time.Duration) (bool, error) {
	_, status, err := n.status()
	if err != nil {
		return false, err
	}
	for _, peer := range status.GetPeers() {
		ratio := peer.GetRoundTripMs() / (roundTrip.Seconds() * 1e3)
		if ratio > nearly || ratio < 1/nearly {
			return false, nil
		}
	}
	return true, nil
}

// offersNothingAt reports whether the agent gives another node, or this one, no new connections over TCP.
func (n *node) offersNothingAt(other *node) (bool, error) {
	_, status, err := n.status()
	if err != nil {
		return false, err
	}
	return !slices.ContainsFunc(status.GetServices(), func(service *agentv1.AdaptiveServiceStatus) bool {
		if service.GetProtocol() != overTCP.protocol() {
			return false
		}
		return slices.ContainsFunc(service.GetNodes(), func(each *agentv1.AdaptiveNodeStatus) bool {
			return each.GetNodeId() == nameOf(other.index) && each.GetBackends() > 0
		})
	}), nil
}
