package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"
)

// costOf loads a subject with small replies while the kernel measures the run time of its program, and of
// an empty one that runs for the same packets at the same hook; nil without a program. Measuring costs time,
// so this is a turn of its own.
func costOf(ctx context.Context, network *network, plan Plan, s *running) (cost *Cost, err error) {
	program, err := s.program()
	if err != nil || program == nil {
		return nil, err
	}
	defer program.Close()
	empty, remove, err := s.emptyProgram(network, program.Type())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	statistics, err := ebpf.EnableStats(unix.BPF_STATS_RUN_TIME)
	if err != nil {
		return nil, fmt.Errorf("enable run time statistics of BPF programs: %w", err)
	}
	defer func() { err = errors.Join(err, statistics.Close()) }()
	programs := []*ebpf.Program{program, empty}
	before, err := statsOf(programs)
	if err != nil {
		return nil, err
	}
	if _, _, err := turn(ctx, network, plan, s, Small); err != nil {
		return nil, err
	}
	after, err := statsOf(programs)
	if err != nil {
		return nil, err
	}
	packets := after[0].RunCount - before[0].RunCount
	if packets == 0 || after[1].RunCount == before[1].RunCount {
		return nil, errors.New("no packet came to the program, or none to the empty one, while it was loaded")
	}
	info, err := program.Info()
	if err != nil {
		return nil, err
	}
	verified, known := info.VerifiedInstructions()
	if !known {
		return nil, errors.New("the kernel doesn't report how many instructions its verifier processed, which came with Linux 5.16")
	}
	return &Cost{
		Subject: s.name, Packets: packets, Verified: verified,
		Nanoseconds: nanosecondsEach(before[0], after[0]), Empty: nanosecondsEach(before[1], after[1]),
	}, nil
}

func statsOf(programs []*ebpf.Program) (all []*ebpf.ProgramStats, err error) {
	for _, program := range programs {
		stats, err := program.Stats()
		if err != nil {
			return nil, err
		}
		all = append(all, stats)
	}
	return all, nil
}

func nanosecondsEach(before, after *ebpf.ProgramStats) float64 {
	return float64((after.Runtime - before.Runtime).Nanoseconds()) / float64(after.RunCount-before.RunCount)
}

func (r *running) carries(workload Workload) bool { return slices.Contains(r.workloads, workload) }
