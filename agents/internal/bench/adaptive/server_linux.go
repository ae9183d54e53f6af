package adaptive

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// ServerCommand is the command of a node's server.
const ServerCommand = "adaptive-server"

// serverOrder makes requests take this many times their usual CPU time.
type serverOrder struct{ SlowBy float64 }

// Serve is the server of a node: its requests take CPU time, which they share equally, as threads do.
func Serve(argument string) error {
	var options limitedOptions
	if err := json.Unmarshal([]byte(argument), &options); err != nil {
		return err
	}
	if !options.Begun {
		return options.begin(ServerCommand)
	}
	s := &server{node: options.Node}
	s.slowBy.Store(1)
	if err := s.listenAt(options.At); err != nil {
		return err
	}
	go func() {
		reserveThread()
		fmt.Fprintln(os.Stderr, "a server ended:", s.serve())
		os.Exit(1)
	}()
	return obey(func(order serverOrder) (any, error) {
		s.slowBy.Store(order.SlowBy)
		return nil, nil
	})
}

type server struct {
	node    byte
	poll    int
	sockets map[int]func(fd int) error // what to do with one that is ready
	slowBy  atomicFloat
	jobs    []job
	turn    int           // the job that is next
	until   time.Duration // CPU time that this process may have used after the work so far
}

// job is a request that is being served.
type job struct {
	left time.Duration // CPU time
	end  func()        // answers it
}

// listenAt opens a TCP and a UDP socket at each address.
func (s *server) listenAt(addresses []netip.Addr) (err error) {
	if s.poll, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return err
	}
	s.sockets = map[int]func(int) error{}
	for _, at := range addresses {
		for kind, ready := range map[int]func(int) error{unix.SOCK_STREAM: s.accept, unix.SOCK_DGRAM: s.receive} {
			if err := s.listen(netip.AddrPortFrom(at, serverPort), kind, ready); err != nil {
				return fmt.Errorf("listen on %s: %w", at, err)
			}
		}
	}
	return nil
}

const datagramBuffer = 8 << 20 // bytes, for as many as may wait

func (s *server) listen(at netip.AddrPort, kind int, ready func(int) error) error {
	fd, err := newSocket(at.Addr(), kind)
	if err != nil {
		return err
	}
	s.sockets[fd] = ready
	if err := errors.Join(unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1), unix.Bind(fd, socketAddress(at)),
		watch(s.poll, fd, unix.EPOLLIN)); err != nil {
		return err
	}
	if kind == unix.SOCK_DGRAM {
		return unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, datagramBuffer)
	}
	return unix.Listen(fd, nodes*mostWaiting)
}

func (s *server) serve() error {
	var events [64]unix.EpollEvent
	for {
		wait := 0
		if len(s.jobs) == 0 {
			wait = -1
		}
		ready, err := await(s.poll, events[:], wait)
		if err != nil {
			return err
		}
		if wait < 0 {
			s.until = used() // no request is shorter because of idle time
		}
		for _, event := range ready {
			fd := int(event.Fd)
			if serve := s.sockets[fd]; serve == nil {
				_ = unix.EpollCtl(s.poll, unix.EPOLL_CTL_DEL, fd, nil)
				s.take(fd)
			} else if err := serve(fd); err != nil {
				return err
			}
		}
		s.work()
	}
}

func (s *server) accept(listener int) error {
	for {
		fd, _, err := unix.Accept4(listener, unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC)
		switch {
		case isPending(err):
			return nil
		case errors.Is(err, unix.ECONNABORTED):
		case err != nil:
			return fmt.Errorf("accept: %w", err)
		default:
			s.take(fd)
		}
	}
}

// take begins to serve the request of a connection, or waits for it. The answer and the end of the connection are one packet,
// because packets between nodes take this machine's CPU time.
func (s *server) take(fd int) {
	var request [1]byte
	n, err := unix.Read(fd, request[:])
	if isPending(err) && watch(s.poll, fd, unix.EPOLLIN) == nil {
		return
	}
	if n != 1 {
		_ = unix.Close(fd)
		return
	}
	s.begin(func() {
		_ = unix.Send(fd, []byte{s.node}, unix.MSG_MORE) // the client reports what it doesn't get
		_ = unix.Close(fd)
	})
}

// receive begins to serve all datagrams that have arrived.
func (s *server) receive(fd int) error {
	var request [1]byte
	for {
		_, from, err := unix.Recvfrom(fd, request[:], 0)
		if isPending(err) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("receive: %w", err)
		}
		s.begin(func() { _ = unix.Sendto(fd, []byte{s.node}, 0, from) }) // the client reports what it doesn't get
	}
}

func (s *server) begin(end func()) {
	s.jobs = append(s.jobs, job{time.Duration(s.slowBy.Load() * rand.ExpFloat64() * float64(requestCPU)), end})
}

// slice is the CPU time that a request gets until it is the next one's turn.
const slice = 20 * time.Microsecond

// work uses CPU time for one request until the process has used what its requests take, with all that the kernel and the
// runtime do for them. Reading the time also makes the kernel enforce the quota at once, and not only at its next tick.
func (s *server) work() {
	if len(s.jobs) == 0 {
		return
	}
	s.turn %= len(s.jobs)
	one := &s.jobs[s.turn]
	step := min(one.left, slice)
	one.left -= step
	s.until += step
	for used() < s.until {
	}
	if one.left > 0 {
		s.turn++
		return
	}
	end := one.end
	s.jobs = slices.Delete(s.jobs, s.turn, s.turn+1)
	end()
}

// used is the CPU time of this process.
func used() time.Duration {
	var at unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &at) // can't fail with these arguments
	return time.Duration(at.Nano())
}
