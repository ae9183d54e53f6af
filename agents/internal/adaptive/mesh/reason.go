package mesh

// Reason is what was decided about a received datagram.
type Reason int

const (
	Accepted  Reason = iota // its figures are used
	Reordered               // after a newer one: its figures are used where that one had none
	Hello                   // it returns no time of this process: it starts the exchange; its figures aren't used
	Replayed                // it arrived before, or is from an earlier process of the peer: dropped
	Late                    // sent more than 3 s ago, or before more than 63 others: dropped
	TooFast                 // its time is in the future, so a clock runs at a wrong speed: dropped
	Forged                  // the MAC is wrong: dropped
	Unknown                 // from a node that isn't a peer: dropped
	Malformed               // another protocol, another version, or impossible figures: dropped
	reasonCount
)

// String is the value of the label in metrics.
func (r Reason) String() string {
	return [reasonCount]string{
		"accepted", "reordered", "hello", "replayed", "late", "too-fast", "forged", "unknown", "malformed",
	}[r]
}

// Counts are datagrams by reason.
type Counts [reasonCount]uint64
