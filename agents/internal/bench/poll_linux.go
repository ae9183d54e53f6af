package bench

import (
	"errors"
	"fmt"
	"net/netip"
	"time"

	"golang.org/x/sys/unix"
)

// poll waits for many sockets at once. Events are edge-triggered: the caller reads until there is no more
// data.
type poll struct {
	fd     int
	events [128]unix.EpollEvent
}

func newPoll() (*poll, error) {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("create an epoll instance: %w", err)
	}
	return &poll{fd: fd}, nil
}

func (p *poll) add(fd int) error {
	event := unix.EpollEvent{Fd: int32(fd), Events: unix.EPOLLIN | unix.EPOLLOUT | unix.EPOLLRDHUP | unix.EPOLLET}
	if err := unix.EpollCtl(p.fd, unix.EPOLL_CTL_ADD, fd, &event); err != nil {
		return fmt.Errorf("watch a socket: %w", err)
	}
	return nil
}

// wait returns the sockets with events; none after the timeout. Less than a millisecond polls without
// waiting.
func (p *poll) wait(most time.Duration) ([]unix.EpollEvent, error) {
	n, err := unix.EpollWait(p.fd, p.events[:], int(most.Milliseconds()))
	if errors.Is(err, unix.EINTR) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("wait for sockets: %w", err)
	}
	return p.events[:n], nil
}

// socketAddress is for IPv4, the only family in this benchmark.
func socketAddress(address netip.AddrPort) *unix.SockaddrInet4 {
	return &unix.SockaddrInet4{Addr: address.Addr().As4(), Port: int(address.Port())}
}

func newSocket(kind int) (int, error) {
	fd, err := unix.Socket(unix.AF_INET, kind|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, fmt.Errorf("open a socket: %w", err)
	}
	return fd, nil
}

// patient reports whether an error only means that a socket has no data yet.
func patient(err error) bool {
	return errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EINTR) || errors.Is(err, unix.EINPROGRESS)
}

// cpuSeconds is the CPU time this process has used.
func cpuSeconds() float64 {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
}
