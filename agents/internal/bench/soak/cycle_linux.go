package soak

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/bench/benchlab"
	"fairlead.dev/agents/internal/lab"
	"fairlead.dev/agents/internal/lab/app"
	"fairlead.dev/agents/internal/lab/topology"
	"fairlead.dev/agents/internal/netspace"
)

// All changes of a cycle; "wait" waits until they have taken effect.
const fullProgram = `
add pod app
add balancer
kill lb-1
kill rr-1
wait
drain node-2
freeze app-1
undrain node-2
thaw app-1
kill router
cut lb-2
kill app-2
restore lb-2
delay steady 3ms 1%
kill lb-1.speaker
freeze lb-2
thaw lb-2
freeze lb-3.speaker
freeze rr-2
delay steady 1ms 0%
thaw lb-3.speaker
thaw rr-2
wait
remove pod app-4
remove balancer lb-3`

// One change of each kind: a pod, a balancer's process, a node's drain, a cable.
const smokeProgram = `
add pod app
kill lb-1
drain node-2
undrain node-2
cut lb-2
restore lb-2
remove pod app-4`

// pause is the time between changes, without a "wait".
const pause = 200 * time.Millisecond

// cycle runs the program once while an additional client connects and disconnects, then waits until the lab
// has settled: the router's kernel has exactly the existing balancers as next hops.
func cycle(ctx context.Context, l *benchlab.Lab, t *topology.Topology, agent, program string) (changes int, err error) {
	if _, err := l.Await(ctx, "a lab that is whole", restMost, func(status lab.Status) bool { return settled(status, t) }); err != nil {
		return 0, err
	}
	stop, err := traffic(l, t, agent)
	if err != nil {
		return 0, err
	}
	for _, line := range strings.Split(strings.TrimSpace(program), "\n") {
		if line == "wait" {
			_, err = l.Await(ctx, "all balancers", restMost, func(status lab.Status) bool { return routed(status, t, 3) })
		} else if err = l.Do(ctx, strings.Fields(line)...); err == nil {
			changes++
			err = benchlab.Pause(ctx, pause)
		}
		if err != nil {
			return changes, errors.Join(err, stop())
		}
	}
	if err := stop(); err != nil {
		return changes, err
	}
	_, err = l.Await(ctx, "a lab that is whole again", restMost, func(status lab.Status) bool { return settled(status, t) })
	return changes, err
}

// traffic is the additional client: short connections to every service.
func traffic(l *benchlab.Lab, t *topology.Topology, agent string) (stop func() error, err error) {
	var loads []app.Load
	for _, service := range t.Services {
		load := app.Load{Service: service.Name, Serve: string(service.Serve), Connections: 12, PerSecond: 120, RequestsPerConnection: 3}
		for _, address := range service.Addresses() {
			load.Addresses = append(load.Addresses, netip.AddrPortFrom(address, service.Port).String())
		}
		loads = append(loads, load)
	}
	described, err := json.Marshal(loads)
	if err != nil {
		return nil, err
	}
	space, err := netspace.Open(lab.SpaceName(l.Name, "busy"))
	if err != nil {
		return nil, err
	}
	printed := &bytes.Buffer{}
	command := exec.Command(agent, "lab-app", "load", "--counts", filepath.Join(l.Root, "busy.sock"), "--loads", string(described))
	command.Stdout, command.Stderr = printed, printed
	if err := errors.Join(space.StartBound(command), space.Close()); err != nil {
		return nil, err
	}
	return func() error {
		_ = command.Process.Signal(unix.SIGTERM) // it may have ended
		if err := command.Wait(); err != nil {
			return fmt.Errorf("the additional client: %w: %s", err, printed)
		}
		return nil
	}, nil
}
