package delivery

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/health"
	"fairlead.dev/agents/internal/hostaddress"
	"fairlead.dev/agents/internal/rawip"
)

const (
	// sends is how often a packet is sent within the timeout: the loss of one must not take
	// a backend down, as the kernel's connections repeat theirs.
	sends = 3

	// hops is the least: a backend without the service address must not forward the packet,
	// which would return to a balancer, and be answered by another backend.
	hops = 1

	addressesFor = time.Second // how long the interface's addresses are not read again
	openAgain    = 30 * time.Second
)

// Prober probes the paths of targets, from an interface's address.
type Prober struct {
	name string
	own  func(context.Context, health.Target) error

	mu        sync.Mutex
	exchange  *exchange // nil until the first probe, and while it can't be opened
	opened    time.Time // when that was tried last
	openErr   error
	addresses hostaddress.Addresses
	readAt    time.Time
	readErr   error
	warnings  [2]string // IPv4, IPv6
}

// New returns a prober. own probes targets without a path. The interface may appear later.
func New(interfaceName string, own func(context.Context, health.Target) error) *Prober {
	return &Prober{name: interfaceName, own: own}
}

// Close implements io.Closer. No probe may run.
func (p *Prober) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.exchange == nil {
		return nil
	}
	err := p.exchange.close()
	p.exchange = nil
	return err
}

// Warning is a sentence for an operator while paths can't be probed, or "".
func (p *Prober) Warning() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, warning := range p.warnings {
		if warning != "" {
			return warning
		}
	}
	return ""
}

// Probe probes once. A path that this host can't probe counts as good, because only the host is at
// fault: [Prober.Warning] has the reason.
func (p *Prober) Probe(ctx context.Context, target health.Target) error {
	if target.Path == (health.Path{}) {
		return p.own(ctx, target)
	}
	x, own, err := p.ready(target.Address.Is4(), time.Now())
	if err == nil {
		defer x.users.Done()
		err = x.probe(ctx, target, own)
	}
	cannot, is := errors.AsType[cannotProbe](err)
	p.note(target.Address.Is4(), cannot.error)
	if is {
		return nil
	}
	return err
}

// cannotProbe is an error of this host.
type cannotProbe struct{ error }

// ready returns the sockets, of which the caller becomes a user, and the address to probe from.
func (p *Prober) ready(v4 bool, now time.Time) (x *exchange, own netip.Addr, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.exchange != nil && p.exchange.broken.Load() {
		go p.exchange.closeUnused()
		p.exchange, p.openErr = nil, nil
	}
	if p.exchange == nil && (p.openErr == nil || now.Sub(p.opened) >= openAgain) {
		p.opened = now
		p.exchange, p.openErr = open()
	}
	if p.openErr != nil {
		return nil, own, cannotProbe{p.openErr}
	}
	if now.Sub(p.readAt) >= addressesFor {
		p.readAt = now
		p.addresses, p.readErr = hostaddress.Of(p.name)
	}
	if p.readErr != nil {
		return nil, own, cannotProbe{p.readErr}
	}
	if own = p.addresses.Family(v4); !own.IsValid() {
		return nil, own, cannotProbe{fmt.Errorf("%s has no address of the backends' family", p.name)}
	}
	p.exchange.users.Add(1)
	return p.exchange, own, nil
}

// note keeps why the paths of a family can't be probed; nil if they can.
func (p *Prober) note(v4 bool, err error) {
	warning := ""
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES) {
		err = errors.New("the agent needs the capability CAP_NET_RAW")
	}
	if err != nil {
		warning = unprobed(err)
	}
	family := 1
	if v4 {
		family = 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.warnings[family] = warning
}

// probe sends the packet until it is answered.
func (x *exchange) probe(ctx context.Context, target health.Target, own netip.Addr) error {
	flow, question := questionFor(target)
	port, release, err := x.port(ctx, own, flow.Protocol)
	if err != nil {
		return err
	}
	defer release()
	flow.From = netip.AddrPortFrom(own, port)
	answers := x.await(flow, target.Address)
	defer x.forget(port)
	send, err := x.way(ctx, target, own)
	if err != nil || send == nil {
		return err
	}
	again := time.NewTicker(pause(ctx))
	defer again.Stop()
	for {
		if err := send(question(flow)); err != nil {
			return err
		}
		select {
		case a := <-answers:
			if flow.Protocol == rawip.TCP && a.Flags&rawip.RST == 0 {
				_ = send(flow.Reset(a))
			}
			return judge(target, flow, a)
		case <-ctx.Done():
			return unanswered(target.Path, own)
		case <-again.C:
		}
	}
}

func pause(ctx context.Context) time.Duration {
	deadline, bounded := ctx.Deadline()
	if !bounded {
		return time.Second
	}
	return max(time.Until(deadline)/sends, time.Millisecond)
}

// questionFor returns the flow of a probe, still without its port, and what builds its packet.
func questionFor(target health.Target) (rawip.Flow, func(rawip.Flow) []byte) {
	flow := rawip.Flow{To: target.PathPort(), Protocol: rawip.TCP, FirstSegment: rand.Uint32(), Hops: hops}
	if target.DatagramToPath() {
		flow.Protocol = rawip.UDP
		return flow, func(f rawip.Flow) []byte { return f.Datagram([]byte(target.Check.Send)) }
	}
	return flow, func(f rawip.Flow) []byte { return f.Segment(f.FirstSegment, rawip.SYN) }
}

// judge returns nil for an answer that proves the delivery. A refused connection does, unless it is
// one that clients need and that the backend's own address accepts.
func judge(target health.Target, flow rawip.Flow, a rawip.Answer) error {
	switch {
	case a.From.Addr() != flow.To.Addr():
		return fromElsewhere(target.Path, a.From.Addr())
	case a.Flags&rawip.RST != 0 && target.ConnectsAsClients():
		return refused(target.Path)
	}
	return nil
}
