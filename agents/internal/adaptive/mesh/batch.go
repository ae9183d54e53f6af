package mesh

import (
	"net"

	"golang.org/x/net/ipv4"
	"golang.org/x/net/ipv6"
)

// manyConn sends and receives many messages at once, where the kernel can.
type manyConn interface {
	ReadBatch([]ipv4.Message, int) (int, error)
	WriteBatch([]ipv4.Message, int) (int, error)
}

func newManyConn(conn *net.UDPConn) manyConn {
	if at := conn.LocalAddr().(*net.UDPAddr); at.IP.To4() != nil {
		return ipv4.NewPacketConn(conn)
	}
	return ipv6.NewPacketConn(conn)
}

// batch collects datagrams, to send them together. Those to one peer are one message where the kernel
// can cut it: it passes through most of the network stack as one packet.
type batch struct {
	conn      *net.UDPConn
	many      manyConn
	datagrams [][]byte       // reused
	to        []net.Addr     // of the datagrams
	messages  []ipv4.Message // reused
	isCut     bool           // what the kernel does with messages
}

// segmentsMost is how many datagrams one message has at most: the kernel accepts 64, and 64 KB.
const segmentsMost = 32

func newBatch(conn *net.UDPConn) *batch {
	return &batch{conn: conn, many: newManyConn(conn), isCut: segment(conn, fullBytes) == nil}
}

// next returns an empty buffer for a datagram.
func (b *batch) next() []byte {
	if len(b.to) == len(b.datagrams) {
		b.datagrams = append(b.datagrams, make([]byte, 0, packetMost))
	}
	return b.datagrams[len(b.to)][:0]
}

// add appends what the buffer of next has now.
func (b *batch) add(content []byte, to net.Addr) {
	b.datagrams[len(b.to)] = content
	b.to = append(b.to, to)
}

// send returns how many could not be sent. That is like a lost datagram: the peer may be unreachable.
func (b *batch) send() (failed int) {
	b.pack()
	for rest := b.messages; len(rest) > 0; {
		sent, err := b.many.WriteBatch(rest, 0)
		sent = max(sent, 0)
		if err != nil { // it stops at the one that fails
			failed += b.resend(&rest[sent], err)
			sent++
		}
		rest = rest[sent:]
	}
	b.to = b.to[:0]
	return failed
}

// pack makes messages of the datagrams.
func (b *batch) pack() {
	b.messages = b.messages[:0]
	for first, end := 0, 1; first < len(b.to); first, end = end, end+1 {
		for b.isCut && end < len(b.to) && end < first+segmentsMost && b.continues(end) {
			end++
		}
		b.messages = append(b.messages, ipv4.Message{Buffers: b.datagrams[first:end], Addr: b.to[first]})
	}
}

// continues reports whether a datagram can be in the message of the one before it. All but the last of
// a message are full.
func (b *batch) continues(at int) bool {
	return len(b.datagrams[at-1]) == fullBytes && b.to[at-1] == b.to[at]
}

// resend sends the datagrams of a failed message one by one, if the kernel can't cut it, and returns how
// many failed. Where that helps, all are sent like this from then on.
func (b *batch) resend(message *ipv4.Message, err error) (failed int) {
	if !b.isCut || !isUncut(err) || segment(b.conn, 0) != nil {
		return len(message.Buffers)
	}
	for _, content := range message.Buffers {
		if _, err := b.conn.WriteTo(content, message.Addr); err != nil {
			failed++
		}
	}
	b.isCut = failed == len(message.Buffers) && segment(b.conn, fullBytes) == nil
	return failed
}
