package adaptive

import (
	"errors"
	"fmt"
	"net/netip"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// newSocket opens a socket for an address: unix.SOCK_STREAM or unix.SOCK_DGRAM.
func newSocket(at netip.Addr, kind int) (int, error) {
	family := unix.AF_INET
	if at.Is6() {
		family = unix.AF_INET6
	}
	fd, err := unix.Socket(family, kind|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, fmt.Errorf("open a socket: %w", err)
	}
	return fd, nil
}

func socketAddress(at netip.AddrPort) unix.Sockaddr {
	if at.Addr().Is6() {
		return &unix.SockaddrInet6{Addr: at.Addr().As16(), Port: int(at.Port())}
	}
	return &unix.SockaddrInet4{Addr: at.Addr().As4(), Port: int(at.Port())}
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

// await returns the events of an epoll instance, after at most so many milliseconds; -1: any time. The Go runtime doesn't
// notice that the thread waits, so it must not wait for the thread's share of GOMAXPROCS either; see reserveThread. If it
// noticed, it would look for such threads every 20 µs, and take more CPU time than requests do.
func await(poll int, events []unix.EpollEvent, milliseconds int) (ready []unix.EpollEvent, err error) {
	n, _, code := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(poll), uintptr(unsafe.Pointer(&events[0])), uintptr(len(events)), uintptr(milliseconds), 0, 0)
	if code != 0 && !isPending(code) {
		return nil, fmt.Errorf("wait for sockets: %w", code)
	}
	if code != 0 {
		n = 0
	}
	return events[:n], nil
}

// reserveThread keeps the calling goroutine on its thread, and lets the others run while it is in await.
func reserveThread() {
	runtime.LockOSThread()
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1)
}
