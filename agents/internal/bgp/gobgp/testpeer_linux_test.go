package gobgp_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"testing"
	"time"

	packet "github.com/osrg/gobgp/v4/pkg/packet/bgp"

	"fairlead.dev/agents/internal/bgp/bgptest"
)

// testPeer is a peer that only sends what the test requests.
type testPeer struct {
	t    *testing.T
	conn net.Conn
	next netip.Addr
}

// call opens a session from an address. It retries until the other end accepts.
func call(t *testing.T, from *bgptest.Host, source, to netip.Addr) *testPeer {
	t.Helper()
	if err := from.Space.AddAddress(bgptest.Interface, netip.PrefixFrom(source, 24)); err != nil {
		t.Fatal(err)
	}
	open := openMessage(t, source)
	open.Body.(*packet.BGPOpen).HoldTime = uint16(slow.Hold / time.Second)
	one := &testPeer{t: t, next: source}
	waitFor(t, func() bool {
		if err := from.Space.Do(func() (err error) {
			dialer := net.Dialer{LocalAddr: net.TCPAddrFromAddrPort(netip.AddrPortFrom(source, 0)), Timeout: time.Second}
			one.conn, err = dialer.Dial("tcp", netip.AddrPortFrom(to, 179).String())
			return err
		}); err != nil {
			return false
		}
		_ = one.conn.SetDeadline(time.Now().Add(time.Minute))
		one.send(open)
		if first, err := one.read(); err != nil || first.Header.Type != openType {
			_ = one.conn.Close()
			return false
		}
		return true
	}, func() string { return fmt.Sprintf("%s is not accepted", source) })
	t.Cleanup(func() { _ = one.conn.Close() })
	one.send(packet.NewBGPKeepAliveMessage())
	return one
}

func (o *testPeer) announce(prefix netip.Prefix) {
	hop, err := packet.NewPathAttributeNextHop(o.next)
	if err != nil {
		o.t.Error(err)
		return
	}
	usual := []packet.PathAttributeInterface{packet.NewPathAttributeOrigin(0), packet.NewPathAttributeAsPath(nil), hop, packet.NewPathAttributeLocalPref(100)}
	o.send(packet.NewBGPUpdateMessage(nil, usual, nlri(prefix)))
}

func (o *testPeer) withdraw(prefix netip.Prefix) {
	o.send(packet.NewBGPUpdateMessage(nlri(prefix), nil, nil))
}

func nlri(prefix netip.Prefix) []packet.PathNLRI {
	one, _ := packet.NewIPAddrPrefix(prefix) // always a valid prefix
	return []packet.PathNLRI{{NLRI: one}}
}

func (o *testPeer) send(message *packet.BGPMessage) {
	whole, err := message.Serialize()
	if err == nil {
		_, err = o.conn.Write(whole)
	}
	if err != nil && !errors.Is(err, net.ErrClosed) {
		o.t.Logf("sending from %s: %v", o.next, err)
	}
}

func (o *testPeer) read() (*packet.BGPMessage, error) {
	whole := make([]byte, headerLength)
	if _, err := io.ReadFull(o.conn, whole); err != nil {
		return nil, err
	}
	whole = append(whole, make([]byte, int(binary.BigEndian.Uint16(whole[16:]))-headerLength)...)
	if _, err := io.ReadFull(o.conn, whole[headerLength:]); err != nil {
		return nil, err
	}
	return packet.ParseBGPMessage(whole)
}
