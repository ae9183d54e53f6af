package datapathtest

import (
	"errors"
	"fmt"
	"io"
	"net/netip"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// fewPorts leaves an engine with its own ports ten of them. Connection tracking uses the
// client's port instead, so the others here come from the same ports.
const (
	fewPorts   = 10
	portRange  = "net/ipv4/ip_local_port_range"
	rangeOfAll = "32768 60999"
)

// keepsPorts brings connections into the states that connection tracking distinguishes,
// waits, and lets other clients take all free ports. Then each must go on where it was.
func keepsPorts(t *testing.T, tr *trial) {
	const pause = 3 * time.Second
	p := tr.open(t)
	balancer := tr.network.Balancers[0]
	must(t, balancer.SetSysctl(portRange, fmt.Sprintf("1024 %d", 1<<16-1-fewPorts)))
	t.Cleanup(func() { must(t, balancer.SetSysctl(portRange, rangeOfAll)) })
	service := tr.service(ipv4, datapath.TCP, without("b"), without("c"))
	put(t, p, service)
	to := netip.AddrPortFrom(service.Key.Address, service.Key.Port)
	server := tr.network.Backends[0]

	states := []struct {
		name   string
		enters func(*testing.T, *Conn, Answer)
		lives  func(*testing.T, *Conn)
	}{
		{"half-closed by the client", func(t *testing.T, conn *Conn, _ Answer) {
			must(t, conn.say("late"), closeWrite(conn.conn))
		}, func(t *testing.T, conn *Conn) {
			server.late <- struct{}{}
			must(t, conn.conn.SetDeadline(time.Now().Add(patience)))
			if line, err := conn.reader.ReadString('\n'); err != nil || line != server.Name+"\n" {
				t.Errorf("received late: %q, %v", line, err)
			}
		}},
		{"half-closed by the server", func(t *testing.T, conn *Conn, _ Answer) {
			must(t, conn.say("shut"))
			if _, err := conn.reader.ReadByte(); !errors.Is(err, io.EOF) {
				t.Errorf("received %v", err)
			}
		}, func(t *testing.T, conn *Conn) {
			must(t, conn.say("shut"))
			until(t, conn.isAcknowledged)
		}},
		{"an RST outside the window", func(t *testing.T, conn *Conn, _ Answer) {
			own, _ := conn.numbers(t)
			forge(t, tr.network.Client, segment{from: conn.Local(), to: to, flags: rstFlag, seq: own + 100_000_000})
		}, answersStill},
		{"an RST inside the window", func(t *testing.T, conn *Conn, _ Answer) {
			own, _ := conn.numbers(t)
			forge(t, tr.network.Client, segment{from: conn.Local(), to: to, flags: rstFlag, seq: own + 1000})
		}, answersStill},
		{"the server's RST outside the window", func(t *testing.T, conn *Conn, answer Answer) {
			_, next := conn.numbers(t)
			backend := service.Backends[0]
			forge(t, server.Space, segment{from: netip.AddrPortFrom(backend.Address, backend.Port), to: answer.Client, flags: rstFlag, seq: next + 100_000_000})
		}, answersStill},
		{"a SYN", func(t *testing.T, conn *Conn, _ Answer) {
			forge(t, tr.network.Client, segment{from: conn.Local(), to: to, flags: synFlag, seq: 77})
		}, answersStill},
	}
	var conns []*Conn
	for _, state := range states {
		conn, err := tr.client().Connect(service.Key)
		must(t, err)
		t.Cleanup(conn.Close)
		answer, err := conn.Request()
		must(t, err)
		state.enters(t, conn, answer)
		conns = append(conns, conn)
	}
	time.Sleep(pause) // nothing else may happen meanwhile
	others := tr.takePorts(t, service.Key, conns)
	for i, state := range states {
		t.Run(state.name, func(t *testing.T) { state.lives(t, conns[i]) })
	}
	for _, conn := range others {
		answersStill(t, conn)
	}
	t.Run("ports of ended connections are free", func(t *testing.T) {
		for i, conn := range append(conns, others...) {
			if i%2 == 0 {
				must(t, conn.tcp(t).SetLinger(0)) // ends it by an RST
			}
			conn.Close()
		}
		for range fewPorts - 2 {
			until(t, func() error {
				conn, err := tr.client().Connect(service.Key)
				if err == nil {
					t.Cleanup(conn.Close)
				}
				return err
			})
		}
	})
}

func answersStill(t *testing.T, conn *Conn) {
	t.Helper()
	if _, err := conn.Request(); err != nil {
		t.Error(err)
	}
}

// takePorts opens connections from other addresses, until an engine with its own ports has
// none left.
func (tr *trial) takePorts(t *testing.T, key datapath.Key, conns []*Conn) (others []*Conn) {
	t.Helper()
	const soon = 300 * time.Millisecond
	for i := range fewPorts + 2 {
		address := prefix4(76, 100+i)
		must(t, tr.network.Client.AddAddress(Interface, address))
		from := netip.AddrPortFrom(address.Addr(), conns[i%len(conns)].Local().Port())
		if conn, err := tr.client().connectFrom(from, key, soon); err == nil {
			t.Cleanup(conn.Close)
			others = append(others, conn)
		}
	}
	if len(others) < fewPorts-len(conns) {
		t.Errorf("only %d of %d ports are used", len(others)+len(conns), fewPorts)
	}
	return others
}

func (c *Conn) say(line string) error {
	if err := c.conn.SetDeadline(time.Now().Add(c.Patience)); err != nil {
		return err
	}
	_, err := fmt.Fprintln(c.conn, line)
	return err
}

// isAcknowledged returns an error until the server's host has all that was sent.
func (c *Conn) isAcknowledged() error {
	const closeWait = 8 // TCP_CLOSE_WAIT: the server sent FIN, and no RST since
	info, err := readTCPInfo(c.conn)
	if err == nil && (info.State != closeWait || info.Unacked > 0 || info.Notsent_bytes > 0) {
		err = fmt.Errorf("state %d, %d segments are not acknowledged", info.State, info.Unacked)
	}
	return err
}
