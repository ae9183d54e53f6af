package adaptive

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

const learnFor = 4 // times the warm-up

// Run measures all subjects in all scenarios, and prints a line for each turn. The subjects of a scenario take turns within
// a round, so that figures of one round can be compared.
func Run(ctx context.Context, options Options, print func(Line)) error {
	changes, wanted := chosenWhatIfs(options.Scenarios)
	chosen, err := chosenScenarios(wanted)
	if err != nil {
		return err
	}
	if len(options.Scenarios) > 0 && len(wanted) == 0 {
		chosen = nil
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
	if !slices.Contains(names, Ours) {
		return nil
	}
	return runWhatIfs(ctx, options, changes, print)
}

func runLab(ctx context.Context, options Options, chosen []Scenario, names []string, print func(Line)) (err error) {
	l, err := newLab(ctx, chosen[0].Delay)
	defer func() { err = errors.Join(err, l.Close()) }()
	if err != nil {
		return err
	}
	if slices.ContainsFunc(chosen, func(s Scenario) bool { return s.Outside }) {
		if err := l.openOutside(); err != nil {
			return err
		}
	}
	if err := l.learn(ctx, options, chosen); err != nil {
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
func (l *lab) learn(ctx context.Context, options Options, chosen []Scenario) error {
	options.For = learnFor * options.Warmup
	for _, over := range transports {
		if !slices.ContainsFunc(chosen, func(s Scenario) bool { return s.Over == over }) {
			continue
		}
		if _, err := l.measure(ctx, options, &Scenario{Users: allBusy, Over: over}, sameNode, 0); err != nil {
			return err
		}
	}
	return nil
}
