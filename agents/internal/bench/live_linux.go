package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fairlead.dev/agents/internal/netspace"
)

const (
	liveWarmup  = 500 * time.Millisecond
	liveEach    = 1500 * time.Microsecond // the time for each connection to be established, with its handshake
	liveFor     = time.Second
	liveBetween = 50 * time.Millisecond // between two readings of the memory
)

// measureMemory measures the memory that live connections take in a balancer's processes. Bodies are large and
// requested all at once, so that its buffers are in use. A subject without connection state, or with all of
// it in the kernel, is left out.
func measureMemory(ctx context.Context, network *network, plan Plan, s *running, print func(Line)) error {
	if plan.Live == 0 || s.peer == nil || s.peer.InKernel {
		return nil
	}
	before, err := residentOf(s.pod.space)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	most := make(chan uint64, 1)
	go func() { most <- mostResident(ctx, s.pod.space, before) }()
	warmup := liveWarmup + time.Duration(plan.Live)*liveEach
	load, _, err := turn(ctx, network, Plan{Connections: plan.Live, Warmup: warmup, For: liveFor}, s, Bulk)
	stop()
	highest := <-most
	switch {
	case err != nil:
		return err
	case load.Failed > 0:
		return fmt.Errorf("with %d live connections %d answers failed: %s", plan.Live, load.Failed, load.Because)
	case highest == before:
		return errors.New("connections took no memory, so something else was looked at")
	}
	print(Line{Memory: &Memory{Subject: s.name, Connections: plan.Live, Bytes: highest - before}})
	return nil
}

// mostResident is the peak until the context ends.
func mostResident(ctx context.Context, space *netspace.Space, atLeast uint64) uint64 {
	for {
		select {
		case <-ctx.Done():
			return atLeast
		case <-time.After(liveBetween):
			now, err := residentOf(space)
			if err == nil { // otherwise a process has just ended
				atLeast = max(atLeast, now)
			}
		}
	}
}

// residentOf is the memory of all processes in a namespace.
func residentOf(space *netspace.Space) (total uint64, err error) {
	pids, err := netspace.Processes(space.Name)
	if err != nil {
		return 0, err
	}
	for _, pid := range pids {
		resident, err := residentBytes(pid)
		if err != nil {
			return 0, err
		}
		total += resident
	}
	return total, nil
}
