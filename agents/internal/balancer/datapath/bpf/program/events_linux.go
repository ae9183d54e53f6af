package program

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/ringbuf"
)

// Events are the records that a program writes to a ring buffer.
type Events struct {
	reader *ringbuf.Reader
	record ringbuf.Record
}

// OpenEvents opens the ring buffer of a map.
func OpenEvents(m *ebpf.Map) (*Events, error) {
	reader, err := ringbuf.NewReader(m)
	if err != nil {
		return nil, fmt.Errorf("read the programs' events: %w", err)
	}
	return &Events{reader: reader}, nil
}

// Next decodes the next record, and returns false once the events are closed.
func (e *Events) Next(into any) bool {
	_, open := e.NextFrame(into)
	return open
}

// NextFrame decodes only the start of a record. The rest, which may be large, is returned as
// it is, and changes with the next call.
func (e *Events) NextFrame(into any) (frame []byte, open bool) {
	for {
		err := e.reader.ReadInto(&e.record)
		if errors.Is(err, os.ErrClosed) {
			return nil, false
		}
		if err != nil {
			time.Sleep(100 * time.Millisecond) // a lasting error must not use a whole CPU
			continue
		}
		if n, err := binary.Decode(e.record.RawSample, binary.NativeEndian, into); err == nil && n > 0 {
			return e.record.RawSample[n:], true
		}
	}
}

// Close ends next.
func (e *Events) Close() error { return e.reader.Close() }
