package pathmtu

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Listener receives the ICMP messages of one family.
type Listener struct {
	socket *os.File
	read   func([]byte) (Report, bool)
}

// Listen opens the sockets for both families; within runs a function in their namespace.
func Listen(within func(func() error) error) (listeners []Listener, err error) {
	err = within(func() error {
		unreachable := uint32(1 << icmpUnreachable)
		four, err := listenICMP(unix.AF_INET, unix.IPPROTO_ICMP, func(fd int) error {
			return unix.SetsockoptInt(fd, unix.SOL_RAW, 1, int(int32(^unreachable))) // ICMP_FILTER: types to drop
		})
		if err != nil {
			return err
		}
		listeners = append(listeners, Listener{four, readIPv4})
		six, err := listenICMP(unix.AF_INET6, unix.IPPROTO_ICMPV6, func(fd int) error {
			var filter unix.ICMPv6Filter
			for i := range filter.Data {
				filter.Data[i] = ^uint32(0)
			}
			filter.Data[0] &^= 1 << icmp6TooBig
			return unix.SetsockoptICMPv6Filter(fd, unix.IPPROTO_ICMPV6, unix.ICMPV6_FILTER, &filter)
		})
		if err == nil {
			listeners = append(listeners, Listener{six, readIPv6})
		}
		return err
	})
	return listeners, err
}

func listenICMP(family, protocol int, filter func(int) error) (*os.File, error) {
	fd, err := unix.Socket(family, unix.SOCK_RAW|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, protocol)
	if err != nil {
		return nil, fmt.Errorf("open a socket for ICMP (give the agent CAP_NET_RAW): %w", err)
	}
	if err := filter(fd); err != nil {
		return nil, errors.Join(fmt.Errorf("filter ICMP: %w", err), unix.Close(fd))
	}
	return os.NewFile(uintptr(fd), "icmp"), nil
}

// Follow reads messages until the listener is closed.
func (l Listener) Follow(each func(Report)) {
	message := make([]byte, 2048)
	for {
		size, err := l.socket.Read(message)
		if errors.Is(err, os.ErrClosed) {
			return
		}
		if err != nil {
			continue
		}
		if found, ok := l.read(message[:size]); ok {
			each(found)
		}
	}
}

// Close ends follow.
func (l Listener) Close() error { return l.socket.Close() }
