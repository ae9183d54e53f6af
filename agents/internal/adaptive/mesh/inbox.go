package mesh

import (
	"net"
	"time"

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

// receive waits for datagrams, and passes them on, with how long they waited for this process.
func (i *inbox) receive(take func(datagram []byte, from net.Addr, waited time.Duration)) error {
	count, err := i.many.ReadBatch(i.messages[:], 0)
	if err != nil {
		return err
	}
	for _, one := range i.messages[:count] {
		content := one.Buffers[0][:one.N]
		size, arrived := parseControl(one.OOB[:one.NN])
		waited := waitedSince(arrived, time.Now())
		for size > 0 && len(content) > size {
			take(content[:size], one.Addr, waited)
			content = content[size:]
		}
		take(content, one.Addr, waited)
	}
	return nil
}

// waitedMost limits what the kernel's time of arrival may change, because the wall clock may be set meanwhile.
const waitedMost = 100 * time.Millisecond

func waitedSince(arrived, now time.Time) time.Duration {
	if arrived.IsZero() {
		return 0
	}
	return min(max(now.Round(0).Sub(arrived), 0), waitedMost)
}
