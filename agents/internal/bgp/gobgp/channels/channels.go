// Package channels stands in for the module of that name, of which gobgp uses one type.
// There a channel that is closed waits until somebody takes what is still in it; gobgp
// doesn't, so each caller that ended with something left to be said to it cost a goroutine
// and what it held, for good. Here what nobody takes any more is dropped.
package channels

// InfiniteChannel passes on what comes, in order, however much waits.
type InfiniteChannel struct {
	input, output chan any
	length        chan int
}

// NewInfiniteChannel makes one that lives until it is closed.
func NewInfiniteChannel() *InfiniteChannel {
	c := &InfiniteChannel{input: make(chan any), output: make(chan any), length: make(chan int)}
	go c.pass()
	return c
}

// In never blocks for long.
func (c *InfiniteChannel) In() chan<- any { return c.input }

// Out is closed after Close.
func (c *InfiniteChannel) Out() <-chan any { return c.output }

// Len is how much waits, and 0 once it is closed.
func (c *InfiniteChannel) Len() int { return <-c.length }

// Close drops what waits. Nothing may be put in after it.
func (c *InfiniteChannel) Close() { close(c.input) }

func (c *InfiniteChannel) pass() {
	defer close(c.length)
	defer close(c.output)
	var waiting []any
	for {
		var output chan any // nil, which is never ready, while nothing waits
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
			waiting[0] = nil // for the collector
			if waiting = waiting[1:]; len(waiting) == 0 {
				waiting = nil // and with it the room that many once took
			}
		case c.length <- len(waiting):
		}
	}
}
