package mesh

import (
	"net"

	"golang.org/x/net/ipv4"
)

const (
	// inboxMost is how many messages are read at once.
	inboxMost = 16

	// messageMost is the largest message: the kernel may join datagrams that arrive together.
	messageMost = 1<<16 - 1
)

// inbox reads datagrams.
type inbox struct {
	many     manyConn
	messages [inboxMost]ipv4.Message
}

func newInbox(conn *net.UDPConn) *inbox {
	i := &inbox{many: newManyConn(conn)}
	for at := range i.messages {
		i.messages[at] = ipv4.Message{Buffers: [][]byte{make([]byte, messageMost)}, OOB: make([]byte, controlBytes)}
	}
	return i
}

// receive waits for datagrams, and passes them on.
func (i *inbox) receive(take func(datagram []byte, from net.Addr)) error {
	count, err := i.many.ReadBatch(i.messages[:], 0)
	if err != nil {
		return err
	}
	for _, one := range i.messages[:count] {
		content := one.Buffers[0][:one.N]
		size, joined := joinedSize(one.OOB[:one.NN])
		for joined && len(content) > size {
			take(content[:size], one.Addr)
			content = content[size:]
		}
		take(content, one.Addr)
	}
	return nil
}
