package adaptive

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"os"
	"slices"
	"sync"
	"time"

	"fairlead.dev/agents/internal/adaptive/cpulimit"
	"fairlead.dev/agents/internal/adaptive/mesh"
	"fairlead.dev/agents/internal/adaptive/policy"
	"fairlead.dev/agents/internal/adaptive/pressure"
	"fairlead.dev/agents/internal/adaptive/signals"
	"fairlead.dev/agents/internal/adaptive/sockets"
	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/events"
	"fairlead.dev/agents/internal/health"
)

// Options are the role's dependencies on the host.
type Options struct {
	Cgroup    string // of the processes whose connections are distributed; empty: all of this host
	PinFolder string // of this agent on a BPF file system
	CPU       cpulimit.Cgroup
	Pressure  pressure.Files

	// Pods, unless nil, returns the cgroup of the pods of this node, or "" while there is none. The CPU and the pressure are
	// those of that cgroup as soon as it exists, because an agent may start before the kubelet.
	Pods func() string

	Listen func(context.Context) (netip.AddrPort, error) // the current address at which peers reach this host
	Log    *slog.Logger
}

// service is what the driver knows of one service.
type service struct {
	Service
	id     string // in the mesh
	number uint16
	meter  *meter      // nil without backends at this node
	nodes  []*outgoing // sorted by node
	places []*outgoing // those of its backends
	peers  []*outgoing // those of the peers, in their order; nil without backends there
	entering
	isUp    []bool // which of its backends take new connections, as last set
	failure string // why it isn't as its newest spec, as a sentence
	overload
}

// to returns what is sent to a node, if the service has a backend there.
func (s *service) to(node string) (one *outgoing, has bool) {
	at, has := slices.BinarySearchFunc(s.nodes, node, func(o *outgoing, node string) int { return cmp.Compare(o.node, node) })
	if !has {
		return nil, false
	}
	return s.nodes[at], true
}

// Driver distributes the connections of a node.
type Driver struct {
	options Options
	wake    chan struct{}
	mesh    *mesh.Mesh
	monitor *health.Monitor
	end     chan struct{} // closed to end the loop
	ended   chan struct{}

	mutex     sync.Mutex // of everything below
	desired   Desired
	sockets   *sockets.Engine // nil while off
	signals   *signals.Signals
	nodes     map[string]uint32 // numbers
	numbers   numbers
	trips     map[string]time.Duration // round trips to nodes
	byNumber  map[uint16]*service
	services  []*service // in the order of desired
	isTaken   bool       // services were replaced since targets were calculated
	targets   map[health.Target]bool
	latest    []mesh.Received // reused
	arrived   []string        // reused
	late      error           // what failed since the last round
	priced    policy.Cost     // reused
	cores     float64
	usage     cpulimit.Usage
	corrected uint64
	ending    map[datapath.Key]bool // removed backends whose connections end
	trouble   trouble               // of the loop
	unset     error                 // why the newest config isn't in use
	observed  former
	faults    faults
	guard     guard
	guarded   time.Time // when pressure was read
	news      events.Events
}

var _ agent.Driver[Desired, Observed] = (*Driver)(nil)

// NewDriver returns a driver that is off until the first Set.
func NewDriver(options Options) *Driver {
	d := &Driver{
		options: options, wake: make(chan struct{}, 1), end: make(chan struct{}), ended: make(chan struct{}),
		monitor: health.NewMonitor(health.Options{Probe: health.Prober{}.Probe}),
		trips:   map[string]time.Duration{}, ending: map[datapath.Key]bool{},
		news: events.Events{Log: options.Log},
	}
	d.mesh = mesh.New(mesh.Options{Listen: options.Listen, Log: options.Log, Arrived: d.arrival})
	go d.loop()
	return d
}

// Set distributes the connections of exactly these services. What fails for one is part of its status.
func (d *Driver) Set(_ context.Context, desired Desired) (changes int, err error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	defer func() { d.unset = err }()
	if !desired.On {
		return d.turnOff()
	}
	if err := d.turnOn(desired.Node); err != nil {
		return 0, err
	}
	former := d.desired
	d.take(desired.after(former))
	d.mark(former)
	d.report(d.faults.config(&d.desired))
	if err := d.measure(); err != nil {
		return 0, err
	}
	if err := d.signals.Set(d.counted()); err != nil {
		return 0, err
	}
	changes, err = d.signals.Attach()
	if err != nil {
		return changes, err
	}
	if err := d.mesh.Set(d.exchanged()); err != nil {
		return changes, err
	}
	d.see(time.Now())
	outcome, err := d.sockets.Set(d.distributed())
	if changes += outcome.Changes; err != nil {
		return changes, err
	}
	d.note(outcome.Failures)
	return changes, d.endMarked()
}

// turnOn opens the parts, which continue with what a former process left.
func (d *Driver) turnOn(node string) error {
	if d.sockets != nil && d.desired.Node != node { // its places in the kernel are others
		if err := d.closeParts(); err != nil {
			return err
		}
	}
	if d.sockets != nil {
		return nil
	}
	return d.open(node)
}

func (d *Driver) open(node string) error {
	engine, err := sockets.Open(sockets.Options{Cgroup: d.options.Cgroup, PinFolder: d.options.PinFolder, Node: node})
	if err != nil {
		return err
	}
	counts, err := signals.Open(signals.Options{Cgroup: engine.Cgroup(), PinFolder: d.options.PinFolder})
	if err != nil {
		return errors.Join(err, engine.Close())
	}
	d.sockets, d.signals = engine, counts
	return nil
}

// turnOff removes the parts, also those that a former process left.
func (d *Driver) turnOff() (changes int, err error) {
	if d.sockets == nil {
		if _, err := os.Stat(d.options.PinFolder); errors.Is(err, os.ErrNotExist) {
			return 0, nil
		}
		if err := d.open("of a former process"); err != nil {
			return 0, err
		}
	}
	err = errors.Join(d.mesh.Set(mesh.Spec{}), d.signals.Remove(), d.sockets.Remove())
	d.monitor.Set(nil)
	d.sockets, d.signals, d.services, d.numbers, d.targets, d.desired = nil, nil, nil, nil, nil, Desired{}
	d.faults, d.trouble, d.observed, d.guard = faults{}, trouble{}, former{}, guard{}
	clear(d.ending)
	return 1, err
}

func (d *Driver) closeParts() error {
	if d.sockets == nil {
		return nil
	}
	err := errors.Join(d.signals.Close(), d.sockets.Close())
	d.sockets, d.signals = nil, nil
	return err
}

// Close ends the process's part. The programs continue.
func (d *Driver) Close() error {
	close(d.end)
	<-d.ended
	d.mesh.Close()
	d.monitor.Close()
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.closeParts()
}
