// Package channels replaces the module of that name, of which gobgp uses one type. In that module,
// a closed channel waits until a reader takes the remaining items. gobgp doesn't read them, so each
// dynamic peer that left with messages queued leaked a goroutine. This package drops the remaining
// items.
package channels

// InfiniteChannel is a FIFO queue without a limit.
type InfiniteChannel struct {
	input, output chan any
	length        chan int
}

// NewInfiniteChannel returns a channel that must be closed.
func NewInfiniteChannel() *InfiniteChannel {
	c := &InfiniteChannel{input: make(chan any), output: make(chan any), length: make(chan int)}
	go c.pass()
	return c
}

// In never blocks for long.
func (c *InfiniteChannel) In() chan<- any { return c.input }

// Out is closed after Close.
func (c *InfiniteChannel) Out() <-chan any { return c.output }

// Len is the number of queued items; 0 after Close.
func (c *InfiniteChannel) Len() int { return <-c.length }

// Close drops the queued items. Nothing may be sent to In afterwards.
func (c *InfiniteChannel) Close() { close(c.input) }

func (c *InfiniteChannel) pass() {
	defer close(c.length)
	defer close(c.output)
	var waiting []any
	for {
		var output chan any // nil, never ready, while the queue is empty
		var next any
		if len(waiting) > 0 {
			output, next = c.output, waiting[0]
		}
		select {
		case one, open := <-c.input:
			if !open {
				return
			}
			waiting = append(waiting, one)
		case output <- next:
			waiting[0] = nil // for the garbage collector
			if waiting = waiting[1:]; len(waiting) == 0 {
				waiting = nil // frees the memory of a once long queue
			}
		case c.length <- len(waiting):
		}
	}
}
