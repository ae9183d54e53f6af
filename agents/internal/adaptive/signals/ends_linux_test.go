package signals

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/cilium/ebpf/asm"
	"golang.org/x/sys/unix"
)

func TestEachEndOfAConnectionEndsItsRequest(t *testing.T) {
	for _, test := range []struct {
		name   string
		server func(*net.TCPConn)
		client func(*net.TCPConn)
		done   uint64
	}{
		{"the server closes without an answer", readOne, readAll, 1},
		{"the server resets", func(conn *net.TCPConn) { readOne(conn); _ = conn.SetLinger(0) }, readAll, 0},
		{"the server closes without reading all", waitForByte, readAll, 0},
		{"the client resets", waitForEnd, func(conn *net.TCPConn) { _ = conn.SetLinger(0) }, 0},
		{"the client closes first, and then the server", waitForEnd, func(*net.TCPConn) {}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newPlace(t).open()
			p.serve(server4, net.ListenConfig{}, test.server)
			for range 20 {
				conn := p.dial(client4, server4)
				_, err := conn.Write([]byte("q"))
				must(t, err)
				test.client(conn)
				must(t, conn.Close())
			}
			p.wait(ourNode, Counts{Opened: 20, Arrived: 20, Done: test.done * 20})
		})
	}
}

func readOne(conn *net.TCPConn) { _, _ = conn.Read(make([]byte, 1)) }

func readAll(conn *net.TCPConn) { _, _ = io.ReadAll(conn) }

// waitForByte doesn't read it.
func waitForByte(conn *net.TCPConn) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Read(func(descriptor uintptr) bool {
		_, _, err := unix.Recvfrom(int(descriptor), make([]byte, 1), unix.MSG_PEEK)
		return !errors.Is(err, unix.EAGAIN)
	})
}

func waitForEnd(conn *net.TCPConn) { _, _ = io.Copy(io.Discard, conn) }

// A client that has sent all may still wait for the answer.
func TestAClientThatClosesOneDirectionWaits(t *testing.T) {
	p := newPlace(t).open()
	answers := make(chan struct{})
	p.serve(server4, net.ListenConfig{}, func(conn *net.TCPConn) {
		waitForEnd(conn)
		<-answers
		_, _ = conn.Write([]byte("a"))
	})
	conn := p.dial(client4, server4)
	_, err := conn.Write([]byte("q"))
	must(t, err)
	must(t, conn.CloseWrite())
	p.wait(ourNode, Counts{Open: 1, Opened: 1, InFlight: 1, Arrived: 1})
	close(answers)
	p.wait(ourNode, Counts{Opened: 1, Arrived: 1, Done: 1})
}

func TestAnIncompleteHandshakeIsNoConnection(t *testing.T) {
	p := newPlace(t).open()
	p.serve(server4, net.ListenConfig{}, answerOne)
	request(t, p.dial(client4, server4)) // so that both know each other's link address
	p.wait(ourNode, Counts{Opened: 1, Arrived: 1, Done: 1})
	drop(t, p.client, asm.Instructions{asm.FnGetPrandomU32.Call(), asm.JGE.Imm(asm.R0, 0, "drop")})
	ctx, cancel := context.WithCancel(t.Context())
	var ended sync.WaitGroup
	defer ended.Wait()
	defer cancel()
	ended.Go(func() {
		if conn, err := p.client.Dial(ctx, "tcp", netip.AddrPortFrom(server4, port).String()); err == nil {
			_ = conn.Close()
			t.Error("the handshake was complete")
		}
	})
	eventually(t, "a half-open connection", func() bool { return halfOpen(t, p.server) > 0 })
	p.wait(ourNode, Counts{Opened: 1, Arrived: 1, Done: 1})
}

func TestNothingIsInFlightAfterChurn(t *testing.T) { eachWayToList(t, nothingIsInFlightAfterChurn) }

func nothingIsInFlightAfterChurn(t *testing.T, p *place) {
	const clients, each = 16, 125
	p.serve(server4, net.ListenConfig{}, func(conn *net.TCPConn) {
		one := make([]byte, 1)
		for {
			if _, err := conn.Read(one); err != nil || rand.IntN(8) == 0 {
				return
			}
			if _, err := conn.Write(one); err != nil {
				return
			}
			if rand.IntN(8) == 0 {
				_ = conn.SetLinger(0)
				return
			}
		}
	})
	var ended sync.WaitGroup
	for range clients {
		ended.Go(func() {
			for range each {
				churn(p)
			}
		})
	}
	drifts := make(chan Drift)
	stop := make(chan struct{})
	go func() { drifts <- reconcileUntil(t, p.signals, stop) }()
	ended.Wait()
	close(stop)
	if drift := <-drifts; drift != (Drift{}) {
		t.Errorf("counts drifted by %+v", drift)
	}
	eventually(t, "no connection", func() bool { total := p.counts().Total(); return total.Open == 0 && total.InFlight == 0 })
	if got := p.counts().Total(); got.Opened != clients*each || got.Done > got.Arrived || got.Done == 0 {
		t.Errorf("got %+v", got)
	}
}

func churn(p *place) {
	conn, err := p.tryDial(client4, server4)
	if err != nil {
		p.Error(err)
		return
	}
	defer conn.Close()
	one := make([]byte, 1)
	for range rand.IntN(5) {
		if _, err := conn.Write(one); err != nil {
			return
		}
		if rand.IntN(8) == 0 {
			_ = conn.SetLinger(0)
			return
		}
		if _, err := conn.Read(one); err != nil {
			return
		}
	}
}

func reconcileUntil(t testing.TB, s *Signals, stop chan struct{}) (all Drift) {
	for {
		select {
		case <-stop:
			return all
		case <-time.After(5 * time.Millisecond):
		}
		drift, err := s.Reconcile()
		if err != nil {
			t.Error(err)
		}
		all.Open += drift.Open
		all.InFlight += drift.InFlight
	}
}

const servesForTest = "FAIRLEAD_TEST_SIGNALS_SERVER"

func TestAKilledServerLeavesNothingInFlight(t *testing.T) {
	p := newPlace(t).open()
	server := exec.Command("/proc/self/exe")
	server.Env = append(os.Environ(), servesForTest+"="+hangs)
	must(t, p.server.Start(server))
	t.Cleanup(func() { _ = server.Wait() })
	t.Cleanup(func() { _ = server.Process.Kill() })
	var first *net.TCPConn
	eventually(t, "the server", func() bool {
		var err error
		first, err = p.tryDial(client4, server4)
		return err == nil
	})
	defer first.Close()
	for range 20 {
		_, err := p.dial(client4, server4).Write([]byte("q"))
		must(t, err)
	}
	p.wait(ourNode, Counts{Open: 21, Opened: 21, InFlight: 20, Arrived: 20})
	must(t, server.Process.Kill())
	eventually(t, "no connection", func() bool {
		total := p.counts().Total()
		return total.Open == 0 && total.InFlight == 0 && p.shared() == 0
	})
}
