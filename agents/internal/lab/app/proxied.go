package app

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/netip"
	"sync"
)

// proxied strips a PROXY protocol header (version 2) from streams that have one, and uses its client address.
type proxied struct{ net.Listener }

func (p *proxied) Accept() (net.Conn, error) {
	conn, err := p.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &proxiedConn{Conn: conn, stream: bufio.NewReader(conn)}, nil
}

type proxiedConn struct {
	net.Conn
	stream *bufio.Reader
	once   sync.Once
	client net.Addr
	err    error
}

var signature = []byte("\r\n\r\n\x00\r\nQUIT\n")

// Read waits for the first bytes, so a silent client blocks only itself.
func (c *proxiedConn) Read(p []byte) (int, error) {
	c.once.Do(func() { c.client, c.err = takeHeader(c.stream) })
	if c.err != nil {
		return 0, c.err
	}
	return c.stream.Read(p)
}

func (c *proxiedConn) RemoteAddr() net.Addr {
	if c.client != nil {
		return c.client
	}
	return c.Conn.RemoteAddr()
}

// takeHeader returns nil when there is no header, or one without a client address.
func takeHeader(stream *bufio.Reader) (net.Addr, error) {
	for i := range signature { // byte by byte: a stream without a header may be shorter than one
		first, err := stream.Peek(i + 1)
		if err != nil || first[i] != signature[i] {
			return nil, nil // the next reader gets the same error
		}
	}
	header := make([]byte, len(signature)+4)
	if _, err := io.ReadFull(stream, header); err != nil {
		return nil, err
	}
	rest := make([]byte, binary.BigEndian.Uint16(header[14:]))
	if _, err := io.ReadFull(stream, rest); err != nil {
		return nil, err
	}
	const local, proxy = 0x20, 0x21 // version 2, and the command
	if header[12] != local && header[12] != proxy {
		return nil, fmt.Errorf("a PROXY header of version and command %#x: only version 2 is known", header[12])
	}
	size := map[byte]int{0x11: 4, 0x21: 16}[header[13]] // TCP over IPv4, over IPv6
	if header[12] == local || size == 0 || len(rest) < 2*size+4 {
		return nil, nil // the balancer's own connection, or an unsupported family
	}
	address, _ := netip.AddrFromSlice(rest[:size])
	port := binary.BigEndian.Uint16(rest[2*size:])
	return net.TCPAddrFromAddrPort(netip.AddrPortFrom(address, port)), nil
}
