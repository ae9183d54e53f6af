package lab

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"time"

	"fairlead.dev/agents/internal/lab/topology"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/session/keys"
)

// Options configure a lab.
type Options struct {
	Topology *topology.Topology
	Digest   string // of the text it was read from
	Root     string // folder of the folders of labs
	Program  string // fairlead-agent
	Rootless bool   // we are root in a user namespace only
	Log      *slog.Logger

	// With a control plane, agents connect to it, and the lab configures nothing.
	ControlPlane       string // https://host:port; may be empty
	ControlPlaneSocket string // leads to it from a namespace that has no route there
	Tokens             string // a folder with a token per agent, named like its member
	State              string // a folder for the agents' identities, which outlive the lab
}

// Lab is a lab that is up. One goroutine owns it.
type Lab struct {
	options  Options
	topology *topology.Topology
	where    addresses
	folder   *Folder
	members  map[string]*member
	order    []string // of creation
	wires    *netspace.Space
	pods     *pods
	source   Source
	tickets  keys.Epoch // of all pods that serve TLS
	// Reported to the control plane, if there is one.
	inventories map[string]*inventory // by the cluster of their nodes
	unable      string                // why this machine can't run agents of the role adaptive; empty: it can, or the topology has none
	isChecked   bool                  // whether it can

	exits     chan *process
	readiness chan readiness
	requests  chan request
	down      chan struct{}                 // receives requests to stop
	rerouted  string                        // the last routing failure, so that it is logged once
	hops      map[netip.Prefix][]netip.Addr // in the router's kernel, with BGP
	since     time.Time                     // when a balancer first carried traffic; zero while none does
}

// request is run by the owning goroutine.
type request struct {
	do   func() error
	done chan error
}

const tick = 100 * time.Millisecond

// Run creates a lab and keeps it until the context ends or a stop is requested, then removes all of
// it. Ready is called once everything is created, with the reason why its nodes run no agents of the role adaptive
// although the topology has them, or an empty text.
func Run(ctx context.Context, options Options, ready func(notAdaptive string)) (err error) {
	folder, err := take(options.Root, options.Topology.Name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, folder.release()) }()
	if options.Rootless {
		netspace.Folder = folder.at("netns")
	}
	if err := sweep(folder.Path, options.Topology.Name); err != nil {
		return fmt.Errorf("clean up after an earlier lab: %w", err)
	}
	if err := sign(folder, options); err != nil {
		return err
	}
	l := newLab(options, folder)
	if err := l.prepareState(); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer func() { stop(); err = errors.Join(err, l.tearDown()) }()
	if err := l.build(ctx); err != nil {
		if ctx.Err() != nil {
			return nil // stopped during startup
		}
		return err
	}
	closeControl, err := l.serveControl(ctx)
	if err != nil {
		return err
	}
	defer closeControl()
	stopReporting, err := l.startReporting(ctx)
	if err != nil {
		return err
	}
	defer stopReporting()
	ready(l.unable)
	l.loop(ctx)
	return nil
}

// sign records the processes that run the lab, for a later cleanup.
func sign(folder *Folder, options Options) error {
	self, err := identify(os.Getpid())
	if err != nil {
		return err
	}
	record := Record{Identity: self, Digest: options.Digest, Rootless: options.Rootless}
	if options.Rootless {
		outer, err := identify(os.Getppid())
		if err != nil {
			return err
		}
		record.Outer = &outer
	}
	return folder.write(record)
}

func newLab(options Options, folder *Folder) *Lab {
	source := newPods(options.Topology)
	l := &Lab{
		options: options, topology: options.Topology, where: addresses{options.Topology}, folder: folder,
		members: map[string]*member{}, pods: source, source: source, tickets: keys.NewEpoch(1),
		// Senders may send while the owner builds or tears down.
		exits: make(chan *process, 4096), readiness: make(chan readiness), requests: make(chan request), down: make(chan struct{}, 1),
	}
	// The clients' traffic belongs to no node, so the lab's own cluster receives it.
	l.inventories = map[string]*inventory{"": newInventory(l.traffic)}
	for _, node := range l.topology.Nodes {
		if l.inventories[node.Cluster] == nil {
			l.inventories[node.Cluster] = newInventory(func(context.Context) ([]TrafficStatus, error) { return nil, nil })
		}
	}
	return l
}

func (l *Lab) loop(ctx context.Context) {
	ticking := time.NewTicker(tick)
	defer ticking.Stop()
	for ticks := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-l.down:
			return
		case p := <-l.exits:
			l.exited(p)
		case r := <-l.readiness:
			l.readinessChanged(r)
		case r := <-l.requests:
			r.done <- r.do()
		case now := <-ticking.C:
			l.tick(now, ticks)
			ticks++
		}
	}
}

// do runs a function in the owning goroutine.
func (l *Lab) do(ctx context.Context, what func() error) error {
	r := request{what, make(chan error, 1)}
	select {
	case l.requests <- r:
		return <-r.done
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *Lab) exited(p *process) {
	p.hasEnded(time.Now())
	if !p.stopping {
		l.options.Log.Warn("a process ended", "in", p.space.Name, "how", p.lastEnd, "log", p.log)
	}
}

func (l *Lab) readinessChanged(r readiness) {
	m := l.members[r.name]
	if m == nil {
		return // it was removed in the meantime
	}
	if m.ready != r.ready {
		l.options.Log.Info("a balancer changed", "balancer", r.name, "ready", r.ready, "why", r.why)
	}
	m.ready, m.why, m.serves = r.ready, r.why, r.addresses()
	l.reroute()
}

// reroute leaves a failure to the next tick, and logs it once.
func (l *Lab) reroute() {
	failed := ""
	if err := l.updateRoutes(); err != nil {
		failed = err.Error()
	}
	if failed != "" && failed != l.rerouted {
		l.options.Log.Error("the router keeps its old next hops", "err", failed)
	}
	l.rerouted = failed
}

func (l *Lab) tick(now time.Time, ticks int) {
	if ticks%10 == 0 { // user changes are published at once
		l.publish(now)
		l.checkRoutes()
	}
	l.reroute()
	carried := l.carried(now)
	for _, name := range append([]string(nil), l.order...) {
		m := l.members[name]
		if m.begin != nil && carried {
			if err := m.begin(); err != nil {
				l.options.Log.Error("a client makes no traffic", "client", name, "err", err)
			}
			m.begin = nil
		}
		if p := m.process; p != nil {
			if !p.again.IsZero() && !now.Before(p.again) {
				if err := p.start(); err != nil {
					l.options.Log.Error("a process does not start", "in", m.space.Name, "err", err)
					p.again = now.Add(time.Second)
				}
			}
			if ticks%100 == 0 {
				p.trimLog()
			}
		}
		l.followDrain(m)
		l.finishLeaving(m, now)
	}
}
