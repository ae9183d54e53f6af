package adaptive

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// ServerCommand is the command of a node's server.
const ServerCommand = "adaptive-server"

type serverOptions struct {
	Node    byte // its answer to each request
	At      netip.AddrPort
	Cgroups []string
	CPU     int
	Begun   bool // in its cgroups, on its CPU
}

// serverOrder makes requests take this many times their usual CPU time.
type serverOrder struct{ SlowBy float64 }

// Serve is the server of a node: one thread answers one request after the other, and each takes CPU time.
func Serve(argument string) error {
	var options serverOptions
	if err := json.Unmarshal([]byte(argument), &options); err != nil {
		return err
	}
	if !options.Begun {
		return options.begin(ServerCommand)
	}
	s := &server{node: options.Node}
	s.slowBy.Store(1)
	if err := s.listen(options.At); err != nil {
		return err
	}
	go func() {
		runtime.LockOSThread()
		fmt.Fprintln(os.Stderr, "a server ended:", s.serve())
		os.Exit(1)
	}()
	return obey(func(order serverOrder) (any, error) {
		s.slowBy.Store(order.SlowBy)
		return nil, nil
	})
}

// begin runs this program again, with all its threads in the cgroups and on one CPU. On two, each would keep a part of
// the quota for itself.
func (o serverOptions) begin(command string) error {
	runtime.LockOSThread()
	if err := join(o.Cgroups); err != nil {
		return err
	}
	var set unix.CPUSet
	set.Set(o.CPU)
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("select a CPU: %w", err)
	}
	o.Begun = true
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return syscall.Exec("/proc/self/exe", []string{os.Args[0], command, string(text)}, append(os.Environ(), "GOMAXPROCS=1"))
}

type server struct {
	node     byte
	listener int
	poll     int
	slowBy   atomicFloat
	until    time.Duration // CPU time that this process may have used after the requests so far
}

func (s *server) listen(at netip.AddrPort) (err error) {
	if s.listener, err = newSocket(); err != nil {
		return err
	}
	if s.poll, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return err
	}
	if err := errors.Join(
		unix.SetsockoptInt(s.listener, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1),
		unix.Bind(s.listener, socketAddress(at)), unix.Listen(s.listener, nodes*mostWaiting),
		watch(s.poll, s.listener, unix.EPOLLIN)); err != nil {
		return fmt.Errorf("listen on %s: %w", at, err)
	}
	return nil
}

func (s *server) serve() error {
	var events [64]unix.EpollEvent
	wait := 0
	for {
		n, err := unix.EpollWait(s.poll, events[:], wait)
		if err != nil && !isPending(err) {
			return err
		}
		if wait < 0 {
			s.until = used() // no request is shorter because of idle time
		}
		if wait = 0; n <= 0 {
			wait = -1
		}
		for _, event := range events[:max(n, 0)] {
			if fd := int(event.Fd); fd != s.listener {
				_ = unix.EpollCtl(s.poll, unix.EPOLL_CTL_DEL, fd, nil)
				s.answer(fd)
			} else if err := s.accept(); err != nil {
				return err
			}
		}
	}
}

func (s *server) accept() error {
	for {
		fd, _, err := unix.Accept4(s.listener, unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC)
		switch {
		case isPending(err):
			return nil
		case errors.Is(err, unix.ECONNABORTED):
		case err != nil:
			return fmt.Errorf("accept: %w", err)
		default:
			s.answer(fd)
		}
	}
}

// answer serves the request of a connection, or waits for it.
func (s *server) answer(fd int) {
	var request [1]byte
	n, err := unix.Read(fd, request[:])
	if isPending(err) && watch(s.poll, fd, unix.EPOLLIN) == nil {
		return
	}
	if n == 1 {
		s.work()
		_, _ = unix.Write(fd, []byte{s.node}) // the client reports what it doesn't get
	}
	_ = unix.Close(fd)
}

// work uses CPU time until the process has used what its requests take, with all that the kernel and the runtime do for
// them. Reading the time also makes the kernel enforce the quota at once, and not only at its next tick.
func (s *server) work() {
	s.until += time.Duration(s.slowBy.Load() * rand.ExpFloat64() * float64(requestCPU))
	for used() < s.until {
	}
}

// used is the CPU time of this process.
func used() time.Duration {
	var at unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &at) // can't fail with these arguments
	return time.Duration(at.Nano())
}
