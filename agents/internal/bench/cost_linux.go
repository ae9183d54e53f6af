package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/netspace"
)

// costOf loads a subject with small answers while the kernel takes the time of
// its program; nil when it has none. Taking the time costs time, so this is a
// turn of its own.
func costOf(ctx context.Context, network *network, plan Plan, s *running) (cost *Cost, err error) {
	program, err := s.program()
	if err != nil || program == nil {
		return nil, err
	}
	defer program.Close()
	statistics, err := ebpf.EnableStats(unix.BPF_STATS_RUN_TIME)
	if err != nil {
		return nil, fmt.Errorf("let the kernel take the time of programs: %w", err)
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
	return &Cost{
		Subject: s.name, Packets: packets,
		Nanoseconds: float64((after.Runtime - before.Runtime).Nanoseconds()) / float64(packets),
	}, nil
}

// program is what is attached to the pod's interface, at either hook.
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
			return fmt.Errorf("ask for programs of %s: %w", netInterface, err)
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

// cpu is what the processes in the pod have used so far, in seconds.
func (r *running) cpu() (float64, error) {
	if r.pod == nil {
		return 0, nil
	}
	pids, err := netspace.Processes(r.pod.space.Name)
	if err != nil {
		return 0, err
	}
	var ticks uint64
	for _, pid := range pids {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue // it has just ended
		}
		used, err := ticksIn(string(text))
		if err != nil {
			return 0, err
		}
		ticks += used
	}
	return float64(ticks) / 100, nil // USER_HZ is 100 on every architecture that we build for
}

// ticksIn reads utime and stime from /proc/PID/stat; a name may hold spaces and parentheses.
func ticksIn(stat string) (uint64, error) {
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	const user, system = 11, 12
	if len(fields) <= system {
		return 0, fmt.Errorf("read the processor time in %q: too short", stat)
	}
	u, errU := strconv.ParseUint(fields[user], 10, 64)
	s, errS := strconv.ParseUint(fields[system], 10, 64)
	return u + s, errors.Join(errU, errS)
}

func (r *running) carries(workload Workload) bool { return slices.Contains(r.workloads, workload) }
