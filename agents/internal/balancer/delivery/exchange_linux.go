package delivery

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/rawip"
)

const (
	// portsMost is the number of concurrent probes. A monitor runs no more.
	portsMost = 512

	// The ports are some of Linux's default range for a host's own connections: services
	// listen on none of these. Each is reserved during its probe.
	portFirst, portLast = 32768, 60999
)

// exchange has the sockets of all probes, and distributes the answers.
type exchange struct {
	senders
	taps   [2]*rawip.Tap
	ports  chan uint16
	broken atomic.Bool // a tap failed
	read   sync.WaitGroup
	users  sync.WaitGroup // probes that use the sockets

	mu      sync.Mutex
	waiting map[uint16]waiting // by our port
}

type waiting struct {
	flow    rawip.Flow
	backend netip.Addr
	answers chan rawip.Answer
}

// open opens the sockets in the network namespace of the calling thread.
func open() (x *exchange, err error) {
	first := uint16(portFirst + rand.IntN(portLast-portFirst-portsMost))
	x = &exchange{ports: make(chan uint16, portsMost), waiting: map[uint16]waiting{}}
	for i := range uint16(portsMost) {
		x.ports <- first + i
	}
	for i, etherType := range []uint16{unix.ETH_P_IP, unix.ETH_P_IPV6} {
		if x.taps[i], err = rawip.OpenTap(0, etherType, first, first+portsMost-1); err != nil {
			return nil, errors.Join(fmt.Errorf("open a packet socket: %w", err), x.close())
		}
	}
	if err = x.senders.open(); err != nil {
		return nil, errors.Join(err, x.close())
	}
	for _, tap := range x.taps {
		x.read.Go(func() { x.distribute(tap) })
	}
	return x, nil
}

func (x *exchange) close() error {
	err := x.senders.close()
	for _, tap := range x.taps {
		if tap != nil {
			err = errors.Join(err, tap.Close())
		}
	}
	x.read.Wait()
	return err
}

// closeUnused waits for probes: the numbers of closed sockets are used for others.
func (x *exchange) closeUnused() {
	x.users.Wait()
	_ = x.close() // it is broken
}

func (x *exchange) distribute(tap *rawip.Tap) {
	for {
		a, err := tap.Read()
		if err != nil {
			x.broken.Store(!errors.Is(err, os.ErrClosed))
			return
		}
		x.mu.Lock()
		w, is := x.waiting[a.To.Port()]
		x.mu.Unlock()
		if !is || !a.Answers(w.flow) || a.From.Port() != w.flow.To.Port() {
			continue
		}
		if from := a.From.Addr(); from != w.flow.To.Addr() && (from != w.backend || a.Protocol == rawip.TCP) {
			continue
		}
		a.Payload = nil // the next packet overwrites it
		select {
		case w.answers <- a:
		default: // it has one
		}
	}
}

// port reserves an unused port.
func (x *exchange) port(ctx context.Context, own netip.Addr, protocol byte) (port uint16, release func(), err error) {
	for range portsMost {
		select {
		case port = <-x.ports:
		case <-ctx.Done():
			return 0, nil, cannotProbe{errors.New("too many probes run at the same time")}
		}
		_, unbind, failed := rawip.Reserve(netip.AddrPortFrom(own, port), protocol)
		if failed == nil {
			return port, func() { unbind(); x.ports <- port }, nil
		}
		x.ports <- port
		if err = failed; !errors.Is(err, unix.EADDRINUSE) {
			break
		}
	}
	return 0, nil, cannotProbe{fmt.Errorf("reserve a port at %s: %w", own, err)}
}

func (x *exchange) await(flow rawip.Flow, backend netip.Addr) <-chan rawip.Answer {
	answers := make(chan rawip.Answer, 1)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.waiting[flow.From.Port()] = waiting{flow, backend, answers}
	return answers
}

func (x *exchange) forget(port uint16) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.waiting, port)
}
