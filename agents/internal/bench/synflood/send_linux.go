package synflood

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"

	"golang.org/x/sys/unix"
)

// Sources are the addresses of the senders: a network for benchmarks, of RFC 2544.
var Sources = netip.MustParsePrefix("198.18.0.0/15")

const (
	pause = time.Millisecond // between bursts
	// late is how much a burst may catch up after the sender had no processor.
	late = 100 * time.Millisecond
)

// Options are what to send.
type Options struct {
	Interface string
	From, To  net.HardwareAddr
	Target    netip.AddrPort
	Rate      int // per second
}

// Sent is what was sent.
type Sent struct {
	SYNs    uint64  `json:"syns"`
	Refused uint64  `json:"refused"` // by the interface, because its queue was full
	Seconds float64 `json:"seconds"`
}

// Send sends until the context ends.
func Send(ctx context.Context, o Options) (sent Sent, err error) {
	socket, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return sent, fmt.Errorf("open a socket for frames: %w", err)
	}
	defer unix.Close(socket)
	found, err := net.InterfaceByName(o.Interface)
	if err != nil {
		return sent, err
	}
	_ = unix.SetsockoptInt(socket, unix.SOL_PACKET, unix.PACKET_QDISC_BYPASS, 1) // only faster
	if err := unix.Bind(socket, &unix.SockaddrLinklayer{Ifindex: found.Index}); err != nil {
		return sent, fmt.Errorf("bind a socket to %s: %w", o.Interface, err)
	}
	frame := newFrame(o)
	began := time.Now()
	for due := began; ctx.Err() == nil; {
		now := time.Now()
		if now.Sub(due) > late {
			due = now.Add(-late)
		}
		for each := time.Second / time.Duration(o.Rate); !due.After(now); due = due.Add(each) {
			frame.number(sent.SYNs + sent.Refused)
			_, err := unix.Write(socket, frame)
			switch {
			case err == nil:
				sent.SYNs++
			case errors.Is(err, unix.ENOBUFS), errors.Is(err, unix.EAGAIN), errors.Is(err, unix.EINTR):
				sent.Refused++
			default:
				return sent, fmt.Errorf("send a SYN: %w", err)
			}
		}
		time.Sleep(min(pause, time.Until(due)))
	}
	sent.Seconds = time.Since(began).Seconds()
	return sent, nil
}
