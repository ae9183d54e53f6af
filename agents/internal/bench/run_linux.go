package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"fairlead.dev/agents/internal/balancer"
)

// DataPath measures every subject with every workload, round by round, and prints each turn when it ends. The
// subjects of a workload run one after the other, so that results to compare were measured within seconds.
func DataPath(ctx context.Context, plan Plan, print func(Line)) (err error) {
	if os.Geteuid() != 0 {
		return errors.New("measuring data paths needs network namespaces: run it as root")
	}
	chosen, err := pick(all(balancer.Candidates()), plan.Subjects)
	if err == nil {
		err = lacking(chosen)
	}
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "fairlead-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	network, err := newNetwork(ctx, len(chosen), nil)
	if network != nil {
		defer func() { err = errors.Join(err, network.Close()) }()
	}
	if err != nil {
		return err
	}
	subjects, err := launchAll(ctx, network, chosen, folder, print)
	defer func() {
		for _, s := range subjects {
			err = errors.Join(err, s.stop())
		}
	}()
	if err != nil {
		return err
	}
	for round := range plan.Rounds {
		if err := playRound(ctx, network, plan, subjects, round, print); err != nil {
			return err
		}
	}
	for _, s := range subjects {
		if err := measureMemory(ctx, network, plan, s, print); err != nil {
			return fmt.Errorf("the memory of %s: %w", s.name, err)
		}
	}
	return nil
}

func launchAll(ctx context.Context, network *network, chosen []subject, folder string, print func(Line)) ([]*running, error) {
	var subjects []*running
	for i, s := range chosen {
		r, err := launch(ctx, network, s, i, folder)
		var refused refusal
		if errors.As(err, &refused) {
			print(Line{LeftOut: &LeftOut{Subject: s.name, Reason: refused.reason}})
			continue
		}
		if err != nil {
			return subjects, fmt.Errorf("start %s: %w", s.name, err)
		}
		subjects = append(subjects, r)
	}
	return subjects, nil
}

func playRound(ctx context.Context, network *network, plan Plan, subjects []*running, round int, print func(Line)) error {
	for _, workload := range Workloads {
		for _, s := range order(subjects, round) {
			if !s.carries(workload) {
				continue
			}
			load, spent, err := turn(ctx, network, plan, s, workload)
			if err != nil {
				return fmt.Errorf("round %d, %s, %s: %w", round+1, s.name, workload, err)
			}
			print(Line{Turn: &Turn{Round: round, Subject: s.name, Kind: s.kind, Workload: workload, Load: load, Spent: spent}})
		}
	}
	for _, s := range order(subjects, round) {
		cost, err := costOf(ctx, network, plan, s)
		if err != nil {
			return fmt.Errorf("round %d, cost of %s: %w", round+1, s.name, err)
		}
		if cost != nil {
			cost.Round = round
			print(Line{Cost: cost})
		}
	}
	return nil
}

// turn loads one subject from the client for the plan's time.
func turn(ctx context.Context, network *network, plan Plan, s *running, workload Workload) (load Load, spent Spent, err error) {
	targets := make([]string, len(s.targets))
	for i, target := range s.targets {
		targets[i] = target.String()
	}
	command := exec.CommandContext(ctx, "/proc/self/exe", "closed-loop", "--to", strings.Join(targets, ","), "--workload", string(workload),
		"--connections", fmt.Sprint(plan.Connections), fmt.Sprintf("--tls=%t", s.endsTLS()), "--warmup", plan.Warmup.String(), "--for", plan.For.String(),
		"--path", plan.path, "--tls-version", plan.tlsVersion, "--processors", fmt.Sprint(plan.processors), fmt.Sprintf("--post-quantum=%t", plan.postQuantum))
	command.Stderr = os.Stderr
	output, err := command.StdoutPipe()
	if err != nil {
		return load, spent, err
	}
	before, err := network.spent(s)
	if err != nil {
		return load, spent, err
	}
	if err := network.client.StartBound(command); err != nil {
		return load, spent, err
	}
	err = json.NewDecoder(output).Decode(&load)
	if err := errors.Join(err, command.Wait()); err != nil {
		return load, spent, fmt.Errorf("the client failed: %w", err)
	}
	if load.Requests == 0 {
		return load, spent, fmt.Errorf("nothing was answered: %d failed, %d lost: %s", load.Failed, load.Lost, load.Because)
	}
	after, err := network.spent(s)
	return load, after.in(plan, before), err
}
