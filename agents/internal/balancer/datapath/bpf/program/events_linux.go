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
	for {
		record, open := e.NextRecord()
		if !open {
			return false
		}
		if n, err := binary.Decode(record, binary.NativeEndian, into); err == nil && n > 0 {
			return true
		}
	}
}

// NextRecord returns the next record as it is in the kernel, which is valid until the next
// call, and false once the events are closed.
func (e *Events) NextRecord() ([]byte, bool) {
	for {
		err := e.reader.ReadInto(&e.record)
		if err == nil {
			return e.record.RawSample, true
		}
		if errors.Is(err, os.ErrClosed) {
			return nil, false
		}
		time.Sleep(100 * time.Millisecond) // a lasting error must not use a whole CPU
	}
}

// Close ends next.
func (e *Events) Close() error { return e.reader.Close() }
