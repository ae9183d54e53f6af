package mesh

import (
	"net"

	"golang.org/x/net/ipv4"
	"golang.org/x/net/ipv6"
)

// manyConn sends and receives many datagrams at once, where the kernel can.
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

// batch collects datagrams, to send them together.
type batch struct {
	conn     manyConn
	messages []ipv4.Message
	count    int
}

func newBatch(conn *net.UDPConn) *batch { return &batch{conn: newManyConn(conn)} }

// next returns an empty buffer for a datagram.
func (b *batch) next() []byte {
	if b.count == len(b.messages) {
		b.messages = append(b.messages, ipv4.Message{Buffers: [][]byte{make([]byte, 0, packetMost)}})
	}
	return b.messages[b.count].Buffers[0][:0]
}

// add appends what the buffer of next has now.
func (b *batch) add(content []byte, to net.Addr) {
	b.messages[b.count].Buffers[0], b.messages[b.count].Addr = content, to
	b.count++
}

// send returns how many could not be sent. That is like a lost datagram: the peer may be unreachable.
func (b *batch) send() (failed int) {
	for rest := b.messages[:b.count]; len(rest) > 0; {
		sent, err := b.conn.WriteBatch(rest, 0)
		if err != nil {
			sent, failed = max(sent, 0)+1, failed+1 // it stops at the one that fails
		}
		rest = rest[min(sent, len(rest)):]
	}
	b.count = 0
	return failed
}

// inboxMost is how many datagrams are read at once.
const inboxMost = 32

// inbox reads datagrams.
type inbox struct {
	conn     manyConn
	messages [inboxMost]ipv4.Message
}

func newInbox(conn *net.UDPConn) *inbox {
	i := &inbox{conn: newManyConn(conn)}
	for at := range i.messages {
		i.messages[at].Buffers = [][]byte{make([]byte, packetMost+1)} // one more, to detect a longer datagram
	}
	return i
}

// receive waits for datagrams, and passes them on.
func (i *inbox) receive(take func(datagram []byte, from net.Addr)) error {
	count, err := i.conn.ReadBatch(i.messages[:], 0)
	if err != nil {
		return err
	}
	for _, one := range i.messages[:count] {
		take(one.Buffers[0][:one.N], one.Addr)
	}
	return nil
}
