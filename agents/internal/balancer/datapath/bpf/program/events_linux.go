package program

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/ringbuf"
)

// afterMost is how many functions wait at most for the records that were written before them.
const afterMost = 1024

// Events are the records that a program writes to a ring buffer. One goroutine reads them.
type Events struct {
	reader *ringbuf.Reader
	record ringbuf.Record
	mutex  sync.Mutex
	after  []func() // of any goroutine, since the last flush
	next   []func() // of the goroutine that reads: after the flush that it awaits
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
		if errors.Is(err, ringbuf.ErrFlushed) {
			e.flushed()
			continue
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

// After has the goroutine that reads call a function, once it is done with all records that were written before. It returns
// false if too many functions wait.
func (e *Events) After(call func()) bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if len(e.after) >= afterMost {
		return false
	}
	e.after = append(e.after, call)
	return e.reader.Flush() == nil
}

// flushed is called when there are no more records. This flush may have begun before the last call of After, so that some
// of the records before that call aren't read yet: another flush is certain.
func (e *Events) flushed() {
	for _, call := range e.next {
		call()
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.next, e.after = e.after, nil; len(e.next) > 0 {
		_ = e.reader.Flush() // it fails only once the events are closed
	}
}

// Close ends next.
func (e *Events) Close() error { return e.reader.Close() }
