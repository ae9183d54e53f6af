package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/link"

	"fairlead.dev/agents/internal/bench/benchlab"
	"fairlead.dev/agents/internal/bench/load"
)

// lossShare is the share of packets that are lost, in each direction.
const lossShare = 0.02

// routing is how long clients are still sent to a replica that has failed, and not yet to one that has started.
const routing = 200 * time.Millisecond

// changes are what happens while clients return, from their start.
type changes struct {
	lab           *sessionLab
	span          time.Duration
	began         time.Time
	leaving, left time.Duration // when additional backends began to leave, and had left at all replicas

	each func(load.Return) // also gets each return with a session; may be nil
}

// leaves reports whether a backend is one of those that are removed.
func (c *changes) leaves(name string) bool {
	return slices.Index(sessionHosts, name) >= usualBackends
}

// prepare begins what lasts for the whole time.
func (c *changes) prepare(change Change) (undo func() error, err error) {
	if change == Loss {
		return c.lab.lose()
	}
	return func() error { return nil }, nil
}

// play makes the changes of a case.
func (c *changes) play(ctx context.Context, change Change) error {
	c.began = time.Now()
	switch change {
	case BackendChange:
		return c.changeBackends(ctx)
	case ReplicaFailure:
		return c.failReplicas(ctx)
	}
	return nil
}

// at waits until this share of the time is over.
func (c *changes) at(ctx context.Context, share float64) error {
	return benchlab.Pause(ctx, time.Until(c.began.Add(time.Duration(share*float64(c.span)))))
}

// changeBackends adds two backends. They then get no more connections, and are removed once theirs have ended.
func (c *changes) changeBackends(ctx context.Context) error {
	all := usual()
	for i := usualBackends; i < len(sessionHosts); i++ {
		all = append(all, sessionBackend{index: i})
	}
	if err := c.at(ctx, 0.2); err != nil {
		return err
	}
	if err := c.lab.setReplicas(all); err != nil {
		return err
	}
	if err := c.at(ctx, 0.5); err != nil {
		return err
	}
	for i := usualBackends; i < len(all); i++ {
		all[i].leaving = true
	}
	c.leaving = time.Since(c.began)
	if err := c.lab.setReplicas(all); err != nil {
		return err
	}
	c.left = time.Since(c.began)
	if err := c.at(ctx, 0.8); err != nil {
		return err
	}
	return c.lab.setReplicas(usual())
}

// failReplicas kills each replica, while the other one takes its clients, and then both.
func (c *changes) failReplicas(ctx context.Context) error {
	l := c.lab
	for number, share := range []float64{0.2, 0.45} {
		if err := c.at(ctx, share); err != nil {
			return err
		}
		if err := l.killReplica(number); err != nil {
			return err
		}
		if err := benchlab.Pause(ctx, routing); err != nil {
			return err
		}
		if err := errors.Join(l.routeTo(sessionService, l.replicas[1-number].pod.host), l.restartReplica(number, usual())); err != nil {
			return err
		}
	}
	if err := c.at(ctx, 0.7); err != nil {
		return err
	}
	err := errors.Join(
		l.killReplica(0), l.killReplica(1), l.routeTo(sessionService, noHost),
		l.restartReplica(0, usual()), l.restartReplica(1, usual()), benchlab.Pause(ctx, routing))
	if err != nil {
		return err
	}
	return l.routeTo(sessionService, l.replicas[0].pod.host)
}

// lose drops packets at the switch, to and from the client.
func (l *sessionLab) lose() (undo func() error, err error) {
	const next, drop = -1, 2 // TCX_NEXT, TC_ACT_SHOT
	share := float64(1<<31) * lossShare
	program, err := ebpf.NewProgram(&ebpf.ProgramSpec{
		Name: "lose", Type: ebpf.SchedCLS, AttachType: ebpf.AttachTCXIngress, License: "GPL",
		Instructions: asm.Instructions{
			asm.FnGetPrandomU32.Call(),
			asm.RSh.Imm(asm.R0, 1),
			asm.JLT.Imm(asm.R0, int32(share), "drop"),
			asm.Mov.Imm(asm.R0, next),
			asm.Return(),
			asm.Mov.Imm(asm.R0, drop).WithSymbol("drop"),
			asm.Return(),
		},
	})
	if err != nil {
		return nil, fmt.Errorf("load a program that loses packets: %w", err)
	}
	undo = program.Close
	err = l.space.Do(func() error {
		found, err := l.space.Links().LinkByName("client")
		if err != nil {
			return err
		}
		for _, direction := range []ebpf.AttachType{ebpf.AttachTCXIngress, ebpf.AttachTCXEgress} {
			attached, err := link.AttachTCX(link.TCXOptions{Program: program, Interface: found.Attrs().Index, Attach: direction})
			if err != nil {
				return fmt.Errorf("attach a program that loses packets: %w", err)
			}
			before := undo
			undo = func() error { return errors.Join(attached.Close(), before()) }
		}
		return nil
	})
	if err != nil {
		return nil, errors.Join(err, undo())
	}
	return undo, nil
}
