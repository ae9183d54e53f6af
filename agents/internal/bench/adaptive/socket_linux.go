package adaptive

import (
	"errors"
	"fmt"
	"net/netip"

	"golang.org/x/sys/unix"
)

func newSocket() (int, error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, fmt.Errorf("open a socket: %w", err)
	}
	return fd, nil
}

func socketAddress(address netip.AddrPort) *unix.SockaddrInet4 {
	return &unix.SockaddrInet4{Addr: address.Addr().As4(), Port: int(address.Port())}
}

// isPending reports whether an error only means that a socket isn't ready yet.
func isPending(err error) bool {
	return errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EINTR) || errors.Is(err, unix.EINPROGRESS)
}

func watch(poll, fd int, events uint32) error {
	event := unix.EpollEvent{Fd: int32(fd), Events: events}
	if err := unix.EpollCtl(poll, unix.EPOLL_CTL_ADD, fd, &event); err != nil {
		return fmt.Errorf("watch a socket: %w", err)
	}
	return nil
}
