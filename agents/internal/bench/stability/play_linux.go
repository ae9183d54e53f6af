package stability

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fairlead.dev/agents/internal/bench/benchlab"
	"fairlead.dev/agents/internal/bench/peer"
	"fairlead.dev/agents/internal/lab"
)

// Options are what to measure and with what.
type Options struct {
	Scenario
	Agent    string   // the program fairlead-agent
	Self     string   // this program, which also runs the peers
	Rounds   int      // of every subject
	Subjects []string // only these; all when empty
	Evidence string   // a folder for the logs of a lab where our balancer broke connections; none when empty
}

// Run plays the scenario with every subject, round by round.
func Run(ctx context.Context, options Options, print func(Line)) (err error) {
	if os.Geteuid() != 0 {
		return errors.New("the lab's packets need network namespaces: run it as root")
	}
	if err := options.Check(); err != nil {
		return err
	}
	chosen, err := pick(subjects(options.Self), options.Subjects)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "flstab") // short: a socket path is limited to 107 bytes
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	for round := range options.Rounds {
		for i := range chosen {
			s := chosen[(i+round)%len(chosen)] // each round starts with another one
			if lacking := peer.Lacking(peer.Kinds...); s.behind != ours && lacking != nil {
				print(Line{LeftOut: &LeftOut{s.name(), lacking.Error()}})
				continue
			}
			if err := play(ctx, options, s, folder, round, print); err != nil {
				return fmt.Errorf("round %d, %s: %w", round+1, s.name(), err)
			}
		}
	}
	return nil
}

// play is one round of one subject in a lab of its own.
func play(ctx context.Context, options Options, s subject, folder string, round int, print func(Line)) (err error) {
	l, err := benchlab.Up(ctx, options.Agent, folder, fmt.Sprintf("flst%d", os.Getpid()), options.Text, s.lines...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Down()) }()
	here := &stage{Lab: l, scenario: options.Scenario}
	for _, change := range options.Changes {
		outcome, err := here.measure(ctx, change)
		if err != nil {
			return fmt.Errorf("%s %s: %w", change.Which, change.Kind, err)
		}
		outcome.Round, outcome.NextHops, outcome.Behind = round, s.nextHops, s.behind
		print(Line{Changed: outcome})
		if s.behind == ours && outcome.TCP.Broken+outcome.UDP.Broken > 0 && options.Evidence != "" {
			if err := l.KeepLogs(filepath.Join(options.Evidence, strings.ReplaceAll(s.name(), ", ", "-"))); err != nil {
				return err
			}
		}
	}
	return nil
}

// come is how long replicas may take to start, or to end.
const come = 60 * time.Second

// before is the state at the start of a change.
type before struct {
	sockets []socket
	flows   flows
	broken  int
}

// measure makes one change and compares everything that was open.
func (s *stage) measure(ctx context.Context, change Change) (*Outcome, error) {
	if err := s.whole(ctx, change); err != nil {
		return nil, err
	}
	outcome := &Outcome{Kind: change.Kind, Which: change.Which, Replicas: len(s.scenario.Topology.Balancers)}
	was := make([]before, len(protocols))
	for i, p := range protocols {
		if err := s.look(ctx, p, &was[i]); err != nil {
			return nil, err
		}
	}
	began := time.Now()
	if err := s.do(ctx, change); err != nil {
		return nil, err
	}
	replica := s.address(change)
	if err := s.routed(ctx, replica, change.Kind == Added); err != nil {
		return nil, err
	}
	outcome.Seconds = time.Since(began).Seconds()
	moved := make([]flows, len(protocols))
	for i, p := range protocols {
		var err error
		if moved[i], err = follow(s.Lab, s.client(), p, was[i].sockets); err != nil {
			return nil, err
		}
	}
	if err := s.settle(ctx, change); err != nil {
		return nil, err
	}
	for i, into := range []*Tally{&outcome.TCP, &outcome.UDP} {
		var now before
		if err := s.look(ctx, protocols[i], &now); err != nil {
			return nil, err
		}
		*into = tally(was[i].flows, moved[i], ends(now.sockets), replica, now.broken-was[i].broken)
	}
	return outcome, s.clear(ctx, change)
}

// look reads all open connections, their next hops, and the breaks so far.
func (s *stage) look(ctx context.Context, p protocol, into *before) (err error) {
	status, err := s.Status(ctx)
	if err != nil {
		return err
	}
	into.broken = int(counted(status, s.scenario.traffic(p.serve).Service).Broken)
	if into.sockets, err = sockets(ctx, s.Lab, s.client(), p); err != nil {
		return err
	}
	into.flows, err = follow(s.Lab, s.client(), p, into.sockets)
	return err
}

func counted(status lab.Status, service string) lab.TrafficStatus {
	for _, t := range status.Traffic {
		if t.Service == service {
			return t
		}
	}
	return lab.TrafficStatus{}
}
