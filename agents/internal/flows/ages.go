package flows

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// Ages are sent in their own frame before the flows, so that a replica of an earlier
// version, which skips that frame, still reads the flows.
const ageBytes = 4 // milliseconds

func appendAge(to []byte, age time.Duration) []byte {
	return binary.BigEndian.AppendUint32(to, uint32(min(max(age.Milliseconds(), 0), math.MaxUint32)))
}

// parseAges parses a sequence of ages as appendAge writes them.
func parseAges(content []byte) ([]time.Duration, error) {
	if len(content)%ageBytes != 0 {
		return nil, fmt.Errorf("%w: ages of %d bytes", errFrame, len(content))
	}
	ages := make([]time.Duration, 0, len(content)/ageBytes)
	for ; len(content) > 0; content = content[ageBytes:] {
		ages = append(ages, time.Duration(binary.BigEndian.Uint32(content))*time.Millisecond)
	}
	return ages, nil
}

// withAges sets the ages from the preceding frame, if there was one.
func withAges(flows []datapath.Flow, ages []time.Duration) error {
	if len(ages) != 0 && len(ages) != len(flows) {
		return fmt.Errorf("%w: %d ages of %d flows", errFrame, len(ages), len(flows))
	}
	for i, age := range ages {
		flows[i].Age = age
	}
	return nil
}

// batch holds the flows of one frame, and their ages.
type batch struct {
	flows, ages []byte
	aged        bool // at least one flow has an age
}

// add skips a flow that can't be encoded.
func (b *batch) add(flow datapath.Flow) {
	before := len(b.flows)
	if b.flows = appendFlow(b.flows, flow); len(b.flows) == before {
		return
	}
	b.ages = appendAge(b.ages, flow.Age)
	b.aged = b.aged || flow.Age > 0
}

func (b *batch) full() bool { return len(b.flows) >= frameFillBytes }

func (t *subscriber) sendBatch(b *batch) error {
	if len(b.flows) == 0 {
		return nil
	}
	if b.aged {
		if err := t.send(kindAges, b.ages); err != nil {
			return err
		}
	}
	return t.send(kindFlows, b.flows)
}
