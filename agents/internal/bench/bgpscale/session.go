package bgpscale

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"time"
)

// Message types and sizes (RFC 4271).
const (
	open         = 1
	update       = 2
	notification = 3
	keepAlive    = 4

	headBytes    = 19
	messageBytes = 4096
	markerBytes  = 16
	beat         = 3 * time.Second
	holdSeconds  = 90
)

// session is a speaker that advertises routes and ignores those it receives.
type session struct {
	conn    net.Conn
	address netip.Addr
}

// openSession sends OPEN and waits until the peer has accepted it.
func openSession(conn net.Conn, address netip.Addr, as uint16) (*session, error) {
	s := &session{conn: conn, address: address}
	capabilities := []byte{
		1, 4, 0, 1, 0, 1, // IPv4 unicast
		65, 4, 0, 0, byte(as >> 8), byte(as), // four-byte AS numbers
	}
	id := address.As4()
	body := []byte{4, byte(as >> 8), byte(as), 0, holdSeconds, id[0], id[1], id[2], id[3], byte(len(capabilities) + 2), 2, byte(len(capabilities))}
	if err := s.send(open, append(body, capabilities...)); err != nil {
		return nil, err
	}
	if err := s.send(keepAlive, nil); err != nil {
		return nil, err
	}
	reader := bufio.NewReader(conn)
	for {
		kind, err := receive(reader)
		if err != nil {
			return nil, fmt.Errorf("open a session from %s: %w", address, err)
		}
		if kind == keepAlive {
			break
		}
	}
	go s.live(reader)
	return s, nil
}

// live runs until either end closes the connection.
func (s *session) live(reader *bufio.Reader) {
	done := make(chan struct{})
	defer close(done)
	go func() {
		ticker := time.NewTicker(beat)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				_ = s.send(keepAlive, nil) // a silent peer's session expires
			}
		}
	}()
	for {
		if _, err := receive(reader); err != nil {
			return
		}
	}
}

// offer advertises prefixes with its own address as next hop.
func (s *session) offer(prefixes []netip.Prefix) error {
	hop := s.address.As4()
	attributes := []byte{
		0x40, 1, 1, 0, // ORIGIN: IGP
		0x40, 2, 0, // AS_PATH: none
		0x40, 3, 4, hop[0], hop[1], hop[2], hop[3], // NEXT_HOP
		0x40, 5, 4, 0, 0, 0, 100, // LOCAL_PREF
	}
	head := []byte{0, 0, 0, byte(len(attributes))}
	body := append(head, attributes...)
	for _, prefix := range prefixes {
		if len(body)+5 > messageBytes-headBytes {
			if err := s.send(update, body); err != nil {
				return err
			}
			body = body[:len(head)+len(attributes)]
		}
		address := prefix.Addr().As4()
		body = append(append(body, byte(prefix.Bits())), address[:]...)
	}
	return s.send(update, body)
}

func (s *session) send(kind byte, body []byte) error {
	message := make([]byte, headBytes, headBytes+len(body))
	for i := range markerBytes {
		message[i] = 0xff
	}
	binary.BigEndian.PutUint16(message[markerBytes:], uint16(headBytes+len(body)))
	message[markerBytes+2] = kind
	_, err := s.conn.Write(append(message, body...))
	return err
}

func receive(reader *bufio.Reader) (kind byte, err error) {
	var head [headBytes]byte
	if _, err := io.ReadFull(reader, head[:]); err != nil {
		return 0, err
	}
	length, kind := int(binary.BigEndian.Uint16(head[markerBytes:])), head[markerBytes+2]
	if length < headBytes || length > messageBytes {
		return kind, fmt.Errorf("a message is %d bytes long", length)
	}
	if kind == notification {
		return kind, errors.New("the other end refuses the session")
	}
	_, err = reader.Discard(length - headBytes)
	return kind, err
}
