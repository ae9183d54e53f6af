package bench

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// SessionLine is one line of output: exactly one of these.
type SessionLine struct {
	Turn     *Turn     `json:"turn,omitempty"`
	Cost     *Cost     `json:"cost,omitempty"`
	Returned *Returned `json:"returned,omitempty"`
	Flooded  *Flooded  `json:"flooded,omitempty"`
	Renamed  *Renamed  `json:"renamed,omitempty"`
	Data     *DataTurn `json:"data,omitempty"`
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
	flags.IntVar(&plan.First, "first", 1, "number of the first case to measure")
	flags.IntVar(&plan.Last, "last", 0, "number of the last case to measure; 0: of all")
	flags.IntVar(&plan.FloodRate, "flood", 100_000, "number of SYNs per second while clients return; 0: no flood")
	flags.IntVar(&plan.FloodReturns, "flood-returns", 2_000, "number of returns under the flood")
	flags.DurationVar(&plan.NamesEvery, "names", 5*time.Minute, "time between probes of ticket keys, which servers change; 0: they don't")
	flags.IntVar(&plan.NamesReturns, "names-returns", 10_000, "number of returns after the first probe")
	flags.IntVar(&plan.DataRounds, "data-rounds", 5, "number of measurements with data of sessions")
	sizes := flags.String("sizes", "1024,16384,262144,1048576,4194304", "sizes of the data of a session, in bytes, comma-separated")
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
	for each := range strings.SplitSeq(*sizes, ",") {
		size, err := strconv.Atoi(each)
		if err != nil {
			return fmt.Errorf("--sizes: %q is no number of bytes", each)
		}
		plan.Sizes = append(plan.Sizes, size)
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

// MeasureSessions measures every subject, round by round, how clients return in each case, under a flood of SYNs and after
// servers have changed their ticket keys, and subjects whose requests need the data of their session.
func MeasureSessions(ctx context.Context, plan SessionPlan, print func(SessionLine)) (err error) {
	if os.Geteuid() != 0 {
		return errors.New("measuring data paths needs network namespaces: run it as root")
	}
	if err := plan.checkSubjects(); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "flsession")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	clusterKey := make([]byte, 32)
	_, _ = rand.Read(clusterKey) // never fails
	if plan.needsServers() {
		if err := measureServers(ctx, plan, clusterKey, folder, print); err != nil {
			return err
		}
	}
	if plan.DataRounds > 0 {
		return measureData(ctx, plan, clusterKey, folder, print)
	}
	return nil
}

// checkSubjects returns an error for a name of no subject.
func (p SessionPlan) checkSubjects() error {
	speed, err := sessionSubjects()
	data, failed := dataSubjects()
	if err == nil {
		_, err = pick(append(speed, data...), p.Subjects)
	}
	return errors.Join(err, failed)
}

// measureServers measures what needs no data of sessions, in front of nginx.
func measureServers(ctx context.Context, plan SessionPlan, clusterKey []byte, folder string, print func(SessionLine)) (err error) {
	list, err := sessionSubjects()
	list = slices.DeleteFunc(list, func(s subject) bool {
		return s.name != bySession && plan.Rounds == 0 || s.kind != Direct && !plan.selects(s.name)
	})
	if err == nil {
		err = lacking(list)
	}
	if err != nil {
		return err
	}
	lab, err := newSessionLab(clusterKey, folder, (*sessionLab).serveTLS)
	defer func() { err = errors.Join(err, lab.Close()) }()
	if err != nil {
		return err
	}
	subjects, err := lab.launchAll(ctx, list, print)
	defer func() {
		for _, s := range subjects {
			err = errors.Join(err, s.stop())
		}
	}()
	if err != nil {
		return err
	}
	for round := range plan.Rounds {
		if err := lab.playRound(ctx, plan, subjects, round, print); err != nil {
			return err
		}
	}
	if lab.replicas[0] == nil {
		return nil
	}
	for _, measure := range []func(context.Context, SessionPlan, func(SessionLine)) error{lab.measureFlood, lab.measureNames, lab.measureReturns} {
		if err := measure(ctx, plan, print); err != nil {
			return err
		}
	}
	return nil
}

// playRound measures each subject with each workload, one after the other, so that results to compare were
// measured within seconds.
func (l *sessionLab) playRound(ctx context.Context, plan SessionPlan, subjects []*running, round int, print func(SessionLine)) error {
	for _, w := range []struct {
		reported, sent Workload
		connections    int
	}{{Small, Small, plan.Connections}, {Return, Return, plan.Clients}, {LargeHello, Return, plan.Clients}, {Sequence, Return, 1}} {
		turns := plan.turns(w.connections)
		turns.postQuantum = w.reported == LargeHello
		for _, s := range order(subjects, round) {
			load, spent, err := turn(ctx, l.network, turns, s, w.sent)
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
