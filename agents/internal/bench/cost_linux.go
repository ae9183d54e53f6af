package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"
)

// costOf loads a subject with small replies while the kernel measures the run time of its program; nil
// without a program. Measuring costs time, so this is a turn of its own.
func costOf(ctx context.Context, network *network, plan Plan, s *running) (cost *Cost, err error) {
	program, err := s.program()
	if err != nil || program == nil {
		return nil, err
	}
	defer program.Close()
	statistics, err := ebpf.EnableStats(unix.BPF_STATS_RUN_TIME)
	if err != nil {
		return nil, fmt.Errorf("enable run time statistics of BPF programs: %w", err)
	}
	defer func() { err = errors.Join(err, statistics.Close()) }()
	before, err := program.Stats()
	if err != nil {
		return nil, err
	}
	if _, _, err := turn(ctx, network, plan, s, Small); err != nil {
		return nil, err
	}
	after, err := program.Stats()
	if err != nil {
		return nil, err
	}
	packets := after.RunCount - before.RunCount
	if packets == 0 {
		return nil, errors.New("no packet came to the program while it was loaded")
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
		Nanoseconds: float64((after.Runtime - before.Runtime).Nanoseconds()) / float64(packets),
	}, nil
}

// program is the BPF program attached to the pod's interface, at either hook.
func (r *running) program() (program *ebpf.Program, err error) {
	if r.pod == nil {
		return nil, nil
	}
	err = r.pod.space.Do(func() error {
		found, err := r.pod.space.Links().LinkByName(netInterface)
		if err != nil {
			return err
		}
		id := ebpf.ProgramID(0)
		if attached := found.Attrs().Xdp; attached != nil && attached.Attached {
			id = ebpf.ProgramID(attached.ProgId)
		}
		chain, err := link.QueryPrograms(link.QueryOptions{Target: found.Attrs().Index, Attach: ebpf.AttachTCXIngress})
		if err != nil {
			return fmt.Errorf("query the programs of %s: %w", netInterface, err)
		}
		if len(chain.Programs) > 0 {
			id = chain.Programs[0].ID
		}
		if id != 0 {
			program, err = ebpf.NewProgramFromID(id)
		}
		return err
	})
	return program, err
}

func (r *running) carries(workload Workload) bool { return slices.Contains(r.workloads, workload) }
