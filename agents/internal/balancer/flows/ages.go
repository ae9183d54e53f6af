package flows

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// Ages have a frame of their own in front of their flows, so that a replica of an
// earlier version, which skips it, still reads the flows.
const ageBytes = 4 // milliseconds

func appendAge(to []byte, age time.Duration) []byte {
	return binary.BigEndian.AppendUint32(to, uint32(min(max(age.Milliseconds(), 0), math.MaxUint32)))
}

// parseAges reads what appendAge wrote, age after age.
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

// withAges gives flows the ages that were told before them, if any were.
func withAges(flows []datapath.Flow, ages []time.Duration) error {
	if len(ages) != 0 && len(ages) != len(flows) {
		return fmt.Errorf("%w: %d ages of %d flows", errFrame, len(ages), len(flows))
	}
	for i, age := range ages {
		flows[i].Age = age
	}
	return nil
}

// batch is flows that go into one frame, and their ages.
type batch struct {
	flows, ages []byte
	aged        bool // any of them is
}

// add leaves out what can't be told.
func (b *batch) add(flow datapath.Flow) {
	before := len(b.flows)
	if b.flows = appendFlow(b.flows, flow); len(b.flows) == before {
		return
	}
	b.ages = appendAge(b.ages, flow.Age)
	b.aged = b.aged || flow.Age > 0
}

func (b *batch) full() bool { return len(b.flows) >= frameFillBytes }

func (t *teller) sendBatch(b *batch) error {
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
