package bench

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"
)

// SessionLine is one line of output: exactly one of these.
type SessionLine struct {
	Turn     *Turn     `json:"turn,omitempty"`
	Cost     *Cost     `json:"cost,omitempty"`
	Returned *Returned `json:"returned,omitempty"`
	LeftOut  *LeftOut  `json:"leftOut,omitempty"`
}

func sessionCommand(ctx context.Context, arguments []string) error {
	var plan SessionPlan
	flags := flag.NewFlagSet("session", flag.ContinueOnError)
	flags.IntVar(&plan.Rounds, "rounds", 9, "number of measurements of each subject")
	flags.IntVar(&plan.Connections, "connections", 32, "number of connections for small requests")
	flags.IntVar(&plan.Clients, "clients", 8, "number of clients that return at the same time")
	flags.DurationVar(&plan.Warmup, "warmup", 300*time.Millisecond, "part of each turn that is not measured")
	flags.DurationVar(&plan.For, "for", 3*time.Second, "duration of the measurement in each turn")
	flags.IntVar(&plan.Returns, "returns", 10_000, "number of returns in each case; 0: no cases")
	cases := flags.String("cases", string(EveryCase), "every combination, few, or one of each change")
	changes := flags.String("changes", "", "measure only cases with these, comma-separated: none, loss, backends, replicas")
	only := flags.String("subjects", "", "measure only these, comma-separated")
	if err := parse(flags, arguments); err != nil {
		return err
	}
	plan.Cases = Cases(*cases)
	if *changes != "" {
		for each := range strings.SplitSeq(*changes, ",") {
			plan.Changes = append(plan.Changes, Change(each))
		}
	}
	if err := plan.Check(); err != nil {
		return err
	}
	if *only != "" {
		plan.Subjects = strings.Split(*only, ",")
	}
	out := json.NewEncoder(os.Stdout)
	return MeasureSessions(ctx, plan, func(line SessionLine) { _ = out.Encode(line) })
}

// MeasureSessions measures every subject, round by round, and then how clients return in each case.
func MeasureSessions(ctx context.Context, plan SessionPlan, print func(SessionLine)) (err error) {
	if os.Geteuid() != 0 {
		return errors.New("measuring data paths needs network namespaces: run it as root")
	}
	list, err := sessionSubjects()
	if err == nil {
		list, err = pick(list, plan.Subjects)
	}
	if err == nil {
		err = lacking(list)
	}
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "flsession")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	clusterKey := make([]byte, 32)
	_, _ = rand.Read(clusterKey) // never fails
	lab, err := newSessionLab(clusterKey, folder)
	defer func() { err = errors.Join(err, lab.Close()) }()
	if err != nil {
		return err
	}
	var subjects []*running
	defer func() {
		for _, s := range subjects {
			err = errors.Join(err, s.stop())
		}
	}()
	for i, s := range list {
		r, err := lab.launch(ctx, s, i)
		var refused refusal
		switch {
		case errors.As(err, &refused):
			print(SessionLine{LeftOut: &LeftOut{Subject: s.name, Reason: refused.reason}})
		case err != nil:
			return fmt.Errorf("start %s: %w", s.name, err)
		default:
			subjects = append(subjects, r)
		}
	}
	for round := range plan.Rounds {
		if err := lab.playRound(ctx, plan, subjects, round, print); err != nil {
			return err
		}
	}
	if lab.replicas[0] == nil {
		return nil
	}
	return lab.measureReturns(ctx, plan, print)
}

// playRound measures each subject with each workload, one after the other, so that results to compare were
// measured within seconds.
func (l *sessionLab) playRound(ctx context.Context, plan SessionPlan, subjects []*running, round int, print func(SessionLine)) error {
	for _, w := range []struct {
		reported, sent Workload
		connections    int
	}{{Small, Small, plan.Connections}, {Return, Return, plan.Clients}, {Sequence, Return, 1}} {
		for _, s := range order(subjects, round) {
			load, spent, err := turn(ctx, l.network, plan.turns(w.connections), s, w.sent)
			if err != nil {
				return fmt.Errorf("round %d, %s, %s: %w", round+1, s.name, w.reported, err)
			}
			print(SessionLine{Turn: &Turn{Round: round, Subject: s.name, Kind: s.kind, Workload: w.reported, Load: load, Spent: spent}})
		}
	}
	for _, s := range order(subjects, round) {
		if s.kind != Engine {
			continue
		}
		cost, err := costOf(ctx, l.network, plan.turns(plan.Connections), s)
		if err != nil {
			return fmt.Errorf("round %d, cost of %s: %w", round+1, s.name, err)
		}
		if cost == nil {
			return fmt.Errorf("round %d, cost of %s: it has no program", round+1, s.name)
		}
		cost.Round = round
		print(SessionLine{Cost: cost})
	}
	return nil
}
