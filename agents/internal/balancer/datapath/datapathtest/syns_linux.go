package datapathtest

import (
	"fmt"
	"net"
	"net/netip"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// challengesSYNs sends SYNs on the ports of connections to a backend that takes no new
// ones. While the backend may have the old connection, it gets the SYN, and answers it with
// a challenge (RFC 5961). A client that really begins again then sends RST, and repeats its
// SYN.
func challengesSYNs(t *testing.T, tr *trial) {
	for _, c := range []struct {
		name string
		b    func(*datapath.Backend)
	}{
		{"draining", in("b", datapath.Draining)},
		{"down", with("b", func(b *datapath.Backend) { b.Up = false })},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := tr.open(t)
			put(t, p, tr.service(ipv4, datapath.TCP))
			live := tr.connectTo(t, tr.service(ipv4, datapath.TCP), "a", "b", "c")["b"]
			begunAgain := tr.connectTo(t, tr.service(ipv4, datapath.TCP), "b")["b"]
			ended := tr.connectTo(t, tr.service(ipv4, datapath.TCP), "b")["b"]
			service := tr.service(ipv4, datapath.TCP, c.b)
			put(t, p, service)

			if !tr.subject.MovesOnSYN {
				to := netip.AddrPortFrom(service.Key.Address, service.Key.Port)
				once := segment{from: live.Local(), to: to, flags: synFlag, seq: 1_000_000}
				forge(t, tr.network.Client, once, once, segment{from: live.Local(), to: to, flags: synFlag, seq: 3_000_000_000})
				stays(t, live, "b")
				forge(t, tr.network.Client, once)
				stays(t, live, "b")
			}

			begunAgain.abandon(t)
			tr.beginsElsewhere(t, begunAgain.Local(), service)

			must(t, ended.quit())
			tr.beginsElsewhere(t, ended.Local(), service)
			stays(t, live, "b")
		})
	}
}

// beginsElsewhere requires that a client gets from its old port to a backend that takes
// connections.
func (tr *trial) beginsElsewhere(t *testing.T, from netip.AddrPort, service datapath.Service) {
	t.Helper()
	conn, err := tr.client().connectFrom(from, service.Key, patience)
	must(t, err)
	t.Cleanup(conn.Close)
	answer, err := conn.Request()
	must(t, err)
	if answer.Backend == "b" {
		t.Errorf("a new connection from %s went to b", from)
	}
	stays(t, conn, answer.Backend)
}

// quit lets the server close the connection first, so that the client can use its port
// again at once.
func (c *Conn) quit() error {
	if err := c.say("quit"); err != nil {
		return err
	}
	if line, err := c.reader.ReadString('\n'); err == nil {
		return fmt.Errorf("%s sent %q and no end", c.key, line)
	}
	c.Close()
	return nil
}

func (c *Conn) tcp(t *testing.T) *net.TCPConn {
	t.Helper()
	tcp, isTCP := c.conn.(*net.TCPConn)
	if !isTCP {
		t.Fatalf("%T has no TCP", c.conn)
	}
	return tcp
}
