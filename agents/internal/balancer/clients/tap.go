package clients

import "net/netip"

// Tap reads sampled packets of one interface. One goroutine owns it.
type Tap interface {
	// Accept selects one of oneIn packets to these addresses at random, from now on. OneIn is
	// a power of two, and there are at most a hundred addresses.
	Accept(oneIn uint32, addresses []netip.Addr) error

	// Pause selects none. What was selected before can still be read.
	Pause() error

	// Read returns the next packet, or false if none waits. It is valid until the next call.
	Read() (Packet, bool, error)

	// Selected returns how many packets were selected since the last call, including those
	// that are lost because nothing read them in time.
	Selected() (int, error)

	Close() error
}

// Packet is the start of a packet.
type Packet struct {
	Data   []byte // from the IP header on
	Length int    // of the whole frame
	Link   int    // length of the link header, which is part of Length
	Merged int    // payload of each segment, if the frame is several of them; else 0
}
