package signals

import (
	"io"
	"net"
	"net/netip"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// answerEach answers each byte with one byte.
func answerEach(conn *net.TCPConn) {
	one := make([]byte, 1)
	for {
		if _, err := conn.Read(one); err != nil {
			return
		}
		if _, err := conn.Write(one); err != nil {
			return
		}
	}
}

func answerOne(conn *net.TCPConn) {
	one := make([]byte, 1)
	if _, err := conn.Read(one); err == nil {
		_, _ = conn.Write(one)
	}
}

// request sends a byte and waits for one.
func request(t testing.TB, conn net.Conn) {
	t.Helper()
	one := make([]byte, 1)
	_, err := conn.Write([]byte("q"))
	must(t, err)
	_, err = io.ReadFull(conn, one)
	must(t, err)
}

func TestConnectionsOfOneRequest(t *testing.T) {
	for _, test := range []struct {
		name           string
		listen         netip.Addr
		client, server netip.Addr
		node           uint32
	}{
		{"IPv4", server4, client4, server4, ourNode},
		{"IPv6", server6, client6, server6, ourNode},
		{"IPv4 at a socket for both", netip.IPv6Unspecified(), client4, server4, ourNode},
		{"IPv4 from another node", server4, far4, server4, farNode},
		{"IPv6 from another node", server6, far6, server6, farNode},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newPlace(t).open()
			p.serve(test.listen, net.ListenConfig{}, answerOne)
			for range 50 {
				conn := p.dial(test.client, test.server)
				request(t, conn)
				_ = conn.Close()
			}
			p.wait(test.node, Counts{Opened: 50, Arrived: 50, Done: 50})
		})
	}
}

func TestAClientOfNoNodeIsCountedForNone(t *testing.T) {
	p := newPlace(t).open()
	config := p.config(datapath.TCP)
	config.Nodes = nil
	must(t, p.signals.Set(config))
	p.serve(server4, net.ListenConfig{}, answerOne)
	request(t, p.dial(client4, server4))
	p.wait(0, Counts{Opened: 1, Arrived: 1, Done: 1})
}

func TestEachTurnOfAConnectionIsARequest(t *testing.T) {
	p := newPlace(t).open()
	p.serve(server4, net.ListenConfig{}, answerEach)
	conn := p.dial(client4, server4)
	p.wait(ourNode, Counts{Open: 1, Opened: 1})
	for range 20 {
		request(t, conn)
	}
	p.wait(ourNode, Counts{Open: 1, Opened: 1, Arrived: 20, Done: 20})
	must(t, conn.Close())
	p.wait(ourNode, Counts{Opened: 1, Arrived: 20, Done: 20})
}

func TestARequestIsInFlightUntilTheServerAnswers(t *testing.T) {
	p := newPlace(t).open()
	answers := make(chan struct{})
	p.serve(server4, net.ListenConfig{}, func(conn *net.TCPConn) {
		_, _ = conn.Read(make([]byte, 1))
		<-answers
		_, _ = conn.Write([]byte("a"))
		_, _ = io.Copy(io.Discard, conn)
	})
	for i := range uint64(3) {
		conn := p.dial(client4, server4)
		_, err := conn.Write([]byte("q"))
		must(t, err)
		p.wait(ourNode, Counts{Open: i + 1, Opened: i + 1, InFlight: i + 1, Arrived: i + 1})
	}
	close(answers)
	p.wait(ourNode, Counts{Open: 3, Opened: 3, Arrived: 3, Done: 3})
}

// What the server reads ahead is answered as one request.
func TestPipelinedRequests(t *testing.T) {
	for _, test := range []struct {
		name  string
		reads int
		done  uint64
	}{
		{"read one by one", 1, 3},
		{"read ahead", 3, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newPlace(t).open()
			hasAll := make(chan struct{})
			p.serve(server4, net.ListenConfig{}, func(conn *net.TCPConn) {
				<-hasAll
				buffer := make([]byte, test.reads)
				for range 3 / test.reads {
					_, _ = io.ReadFull(conn, buffer)
					_, _ = conn.Write(buffer)
				}
				_, _ = io.Copy(io.Discard, conn)
			})
			conn := p.dial(client4, server4)
			_, err := conn.Write([]byte("qqq"))
			must(t, err)
			p.wait(ourNode, Counts{Open: 1, Opened: 1, InFlight: 1, Arrived: 1})
			close(hasAll)
			_, err = io.ReadFull(conn, make([]byte, 3))
			must(t, err)
			p.wait(ourNode, Counts{Open: 1, Opened: 1, Arrived: test.done, Done: test.done})
		})
	}
}

// As in TLS 1.3: the server sends tickets after the handshake, when the client's request may
// have arrived.
func TestWhatTheServerSendsByItselfDoesNotEndARequestThatItHasNotRead(t *testing.T) {
	p := newPlace(t).open()
	computes, answers := make(chan struct{}), make(chan struct{})
	p.serve(server4, net.ListenConfig{}, func(conn *net.TCPConn) {
		one := make([]byte, 1)
		_, _ = conn.Read(one)
		_, _ = conn.Write([]byte("hello"))
		<-computes
		_, _ = conn.Read(one) // the end of the handshake
		_, _ = conn.Write([]byte("ticket"))
		_, _ = conn.Read(one)
		<-answers
		_, _ = conn.Write([]byte("answer"))
		_, _ = io.Copy(io.Discard, conn)
	})
	conn := p.dial(client4, server4)
	request(t, conn)
	p.wait(ourNode, Counts{Open: 1, Opened: 1, Arrived: 1, Done: 1})
	for range 2 {
		_, err := conn.Write([]byte("q"))
		must(t, err)
	}
	p.wait(ourNode, Counts{Open: 1, Opened: 1, InFlight: 1, Arrived: 2, Done: 1})
	close(computes)
	p.wait(ourNode, Counts{Open: 1, Opened: 1, InFlight: 1, Arrived: 3, Done: 2})
	close(answers)
	p.wait(ourNode, Counts{Open: 1, Opened: 1, Arrived: 3, Done: 3})
}

func TestABannerIsNoRequest(t *testing.T) {
	p := newPlace(t).open()
	p.serve(server4, net.ListenConfig{}, func(conn *net.TCPConn) {
		_, _ = conn.Write([]byte("a"))
		answerEach(conn)
	})
	conn := p.dial(client4, server4)
	_, err := io.ReadFull(conn, make([]byte, 1))
	must(t, err)
	request(t, conn)
	p.wait(ourNode, Counts{Open: 1, Opened: 1, Arrived: 1, Done: 1})
}

// With TCP_DEFER_ACCEPT the first packet of the socket has the request.
func TestARequestThatCompletesTheHandshake(t *testing.T) {
	p := newPlace(t).open()
	deferred := net.ListenConfig{Control: func(_, _ string, raw syscall.RawConn) (err error) {
		controlled := raw.Control(func(fd uintptr) {
			err = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_DEFER_ACCEPT, 5)
		})
		if controlled != nil {
			return controlled
		}
		return err
	}}
	deferred.SetMultipathTCP(false)
	p.serve(server4, deferred, answerEach)
	conn := p.dial(client4, server4)
	request(t, conn)
	request(t, conn)
	p.wait(ourNode, Counts{Open: 1, Opened: 1, Arrived: 2, Done: 2})
}
