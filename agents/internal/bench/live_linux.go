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
	liveEach    = 1500 * time.Microsecond // for each connection to be there, its handshake included
	liveFor     = time.Second
	liveBetween = 50 * time.Millisecond // looks at the memory
)

// weigh measures what live connections take of the memory of a balancer's processes.
// Bodies are large and asked for all at once, so that its buffers are in use. A subject
// that keeps them in the kernel, or has none, is left out.
func weigh(ctx context.Context, network *network, plan Plan, s *running, print func(Line)) error {
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

// mostResident looks again and again until the context ends.
func mostResident(ctx context.Context, space *netspace.Space, atLeast uint64) uint64 {
	for {
		select {
		case <-ctx.Done():
			return atLeast
		case <-time.After(liveBetween):
			now, err := residentOf(space)
			if err == nil { // else a process has just ended
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
