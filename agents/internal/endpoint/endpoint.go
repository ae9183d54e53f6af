package endpoint

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"time"
)

const retryEvery = 10 * time.Second // also how soon a changed address is used

var errMoved = errors.New("its address changed")

// Endpoint is where other nodes reach this host.
type Endpoint struct {
	Current func(context.Context) (netip.AddrPort, error) // the address now
	Failed  func(error)                                   // once for each reason in a row
	Retry   time.Duration                                 // 10 s if zero
	Open    func(netip.AddrPort) (*net.UDPConn, error)    // in this network namespace if nil

	mu      sync.Mutex
	address string // empty while there is no socket
	trouble string
}

// User sends and receives datagrams.
type User interface {
	Receive(*net.UDPConn) error         // until the socket is closed
	Send(context.Context, *net.UDPConn) // until the context ends
}

// Open opens a UDP socket in this network namespace.
func Open(at netip.AddrPort) (*net.UDPConn, error) {
	return net.ListenUDP("udp", net.UDPAddrFromAddrPort(at))
}

// Run keeps a socket for its user until the context ends.
func (e *Endpoint) Run(ctx context.Context, user User) {
	logged := ""
	for ctx.Err() == nil {
		err := e.serve(ctx, user)
		if e.Address() != "" {
			logged = "" // it worked in the meantime
		}
		e.listening("", troubleOf(err))
		if ctx.Err() == nil && err.Error() != logged {
			logged = err.Error()
			e.Failed(err)
		}
		if !errors.Is(err, errMoved) {
			e.pause(ctx)
		}
	}
}

// Address returns host:port, or "" while there is no socket.
func (e *Endpoint) Address() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.address
}

// Trouble returns why the kernel refuses the socket, or "".
func (e *Endpoint) Trouble() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.trouble
}

// serve runs the user until it fails, or the host's address changes.
func (e *Endpoint) serve(ctx context.Context, user User) error {
	at, err := e.Current(ctx)
	if err != nil {
		return err
	}
	open := e.Open
	if open == nil {
		open = Open
	}
	conn, err := open(at)
	if err != nil {
		return err // with the address
	}
	here, end := context.WithCancelCause(ctx)
	// At once, because a write may block: the kernel's buffer is full while a link is paused.
	context.AfterFunc(here, func() { _ = conn.Close() })
	var done sync.WaitGroup
	defer func() {
		end(nil)
		_ = conn.Close()
		done.Wait()
	}()
	if err := rejectBroadcasts(conn); err != nil {
		return fmt.Errorf("set socket options: %w", err)
	}
	e.listening(conn.LocalAddr().String(), "")
	done.Go(func() { end(user.Receive(conn)) })
	done.Go(func() { e.watch(here, at, end) })
	user.Send(here, conn)
	return context.Cause(here)
}

// watch ends the use of an address that the host no longer has.
func (e *Endpoint) watch(ctx context.Context, at netip.AddrPort, end context.CancelCauseFunc) {
	for ctx.Err() == nil {
		e.pause(ctx)
		// A name that can't be resolved doesn't mean that the address changed.
		if now, err := e.Current(ctx); err == nil && now != at {
			end(errMoved)
		}
	}
}

func (e *Endpoint) listening(address, trouble string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.address, e.trouble = address, trouble
}

func (e *Endpoint) pause(ctx context.Context) {
	span := e.Retry
	if span == 0 {
		span = retryEvery
	}
	select {
	case <-ctx.Done():
	case <-time.After(span):
	}
}

// troubleOf is empty if no port is refused, such as without an address to listen at.
func troubleOf(err error) string {
	if refused := new(net.OpError); errors.As(err, &refused) && refused.Op == "listen" {
		return err.Error()
	}
	return ""
}
