package bgpscale

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/netip"
	"testing"
)

// pipe records what a session sends.
type pipe struct {
	net.Conn
	sent bytes.Buffer
}

func (p *pipe) Write(data []byte) (int, error) { return p.sent.Write(data) }

func TestAdvertisementsAreSplitIntoMessages(t *testing.T) {
	var conn pipe
	s := &session{conn: &conn, address: netip.MustParseAddr("10.79.1.1")}
	prefixes := make([]netip.Prefix, 1000)
	for i := range prefixes {
		prefixes[i] = netip.PrefixFrom(netip.AddrFrom4([4]byte{198, 18, byte(i >> 8), byte(i)}), 32)
	}
	if err := s.offer(prefixes); err != nil {
		t.Fatal(err)
	}
	text, routes := conn.sent.Bytes(), 0
	for len(text) > 0 {
		length := int(text[16])<<8 | int(text[17])
		if length > messageBytes || text[18] != update {
			t.Fatalf("a message of kind %d is %d bytes long", text[18], length)
		}
		body := text[headBytes:length]
		attributes := int(body[2])<<8 | int(body[3])
		routes += (len(body) - 4 - attributes) / 5
		text = text[length:]
	}
	if routes != len(prefixes) {
		t.Errorf("%d were offered", routes)
	}
}

func TestANotificationEndsTheSession(t *testing.T) {
	var conn pipe
	s := &session{conn: &conn}
	if err := s.send(notification, []byte{6, 3}); err != nil {
		t.Fatal(err)
	}
	if kind, err := receive(bufio.NewReader(&conn.sent)); kind != notification || err == nil {
		t.Errorf("received %d, %v", kind, err)
	}
	if _, err := receive(bufio.NewReader(bytes.NewReader(nil))); err != io.EOF {
		t.Errorf("at the end there is %v", err)
	}
}
