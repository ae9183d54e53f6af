package adaptive

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"
)

// PodOptions are how to measure in pods of a Kubernetes cluster, which exists.
type PodOptions struct {
	Options
	Listen   string                    // where parts of the lab connect to this process, their conductor
	Services map[string]netip.AddrPort // by subject
	Pods     [nodes]string             // the cgroup of all pods of each node, which has its CPU time
}

// Check returns what to change.
func (o PodOptions) Check() error {
	for _, subject := range podSubjects {
		if !o.Services[subject].IsValid() {
			return fmt.Errorf("the address of %s is missing", subject)
		}
	}
	return o.Options.Check()
}

// ClientsPart and its siblings are the names of the parts of the lab in pods. Nodes count from 0.
func ClientsPart(node int) string { return fmt.Sprintf("clients-%d", node) }
func ServerPart(node int) string  { return fmt.Sprintf("server-%d", node) }

// NeighbourPart is on the first node.
const NeighbourPart = "neighbour-0"

// podLab is the parts of the lab in pods.
type podLab struct {
	PodOptions
	parts map[string]orders
}

// RunPods measures both subjects in all scenarios, as Run does.
func RunPods(ctx context.Context, options PodOptions, print func(Line)) (err error) {
	chosen, err := chosenPodScenarios(options.Scenarios)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", options.Listen)
	if err != nil {
		return err
	}
	defer listener.Close()
	wanted := []string{NeighbourPart}
	for node := range nodes {
		wanted = append(wanted, ClientsPart(node), ServerPart(node))
	}
	accepting, stop := context.WithTimeoutCause(ctx, connectPatience, fmt.Errorf("not within %v", connectPatience))
	parts, closeAll, err := acceptParts(accepting, listener, wanted)
	stop()
	defer func() { err = errors.Join(err, closeAll()) }()
	if err != nil {
		return err
	}
	l := &podLab{options, parts}
	if err := l.learn(ctx); err != nil {
		return err
	}
	for round := range options.Rounds {
		for i := range chosen {
			for j := range podSubjects {
				subject := podSubjects[(round+j)%len(podSubjects)]
				turn, err := l.measure(ctx, &chosen[i], subject, round)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", chosen[i].Name, subject, err)
				}
				print(Line{Turn: &turn})
			}
		}
	}
	return nil
}

// connectPatience is longer than parts take to connect again.
const connectPatience = 30 * time.Second

// learn lets agents measure how long requests take before the first turn.
func (l *podLab) learn(ctx context.Context) error {
	options := l.PodOptions
	options.For = learnFor * options.Warmup
	_, err := (&podLab{options, l.parts}).measure(ctx, &PodScenario{Scenario: Scenario{Users: allBusy}}, Ours, 0)
	return err
}

// measure is one turn.
func (l *podLab) measure(ctx context.Context, scenario *PodScenario, subject string, round int) (turn Turn, err error) {
	turn = Turn{Round: round, Scenario: scenario.Name, Subject: subject}
	neighbour := l.parts[NeighbourPart]
	if scenario.IsStressed {
		if err := neighbour.order(neighbourOrder{IsBusy: true}, nil); err != nil {
			return turn, err
		}
		defer func() { err = errors.Join(err, neighbour.order(neighbourOrder{}, nil)) }()
	}
	begin := time.Now().Add(settle)
	all := make([]turnOrder, nodes)
	for node := range all {
		all[node] = scenario.order(node, subject, round, begin, l.Warmup, l.For)
		all[node].Service = l.Services[subject]
	}
	await := sendTurn(all, func(node int) orderer { return l.parts[ClientsPart(node)] })
	workers, idle, usedErr := l.observe(begin.Add(l.Warmup))
	results, err := await()
	if err := errors.Join(err, usedErr); err != nil {
		return turn, err
	}
	turn.summarize(results, l.Warmup, l.For)
	turn.Workers, turn.IdleShare = workers, idle
	turn.Void = turn.void()
	return turn, ctx.Err()
}

// observe returns, after the measured time, which part of its CPU time each node used, and how idle this machine was.
func (l *podLab) observe(from time.Time) (workers []float64, idleShare float64, err error) {
	time.Sleep(time.Until(from))
	before, machineBefore, err := l.used()
	if err != nil {
		return nil, 0, err
	}
	began := time.Now()
	time.Sleep(l.For)
	after, machine, err := l.used()
	for node := range after {
		workers = append(workers, float64(after[node]-before[node])/float64(time.Since(began))/nodeCores)
	}
	return workers, machine.idleShare(machineBefore), err
}

func (l *podLab) used() (pods [nodes]time.Duration, machine processors, err error) {
	for node, folder := range l.Pods {
		if pods[node], err = usedIn(folder); err != nil {
			return pods, machine, err
		}
	}
	machine, err = readProcessors()
	return pods, machine, err
}
