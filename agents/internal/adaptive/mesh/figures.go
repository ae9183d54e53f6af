package mesh

import (
	"encoding/binary"
	"math"

	"fairlead.dev/agents/internal/adaptive/policy"
)

// Figures of a service are its number, and each figure as the upper three bytes of a float32, rounded.
// Their 16 significant bits keep counts exact up to 65,536 and rates within 0.002 %, while the figures
// are averages that change by per cents between two datagrams. With float32, 100 services would need
// four datagrams instead of three, and a node that much more CPU time.
const (
	figureCount  = 8
	figureBytes  = 3
	serviceBytes = 8 + figureCount*figureBytes

	// servicesMost fit in a datagram, which is full then.
	servicesMost = (packetMost - headerBytes - macBytes) / serviceBytes
	fullBytes    = headerBytes + servicesMost*serviceBytes + macBytes
)

// figureMost is the largest that is sent; rounding can't make it infinite.
const figureMost = 1e38

// areWithin excludes what no service can have. A loop over the fields takes several times as long, here as
// well as when figures are written and read.
func areWithin(most float64, f *policy.Figures) bool {
	return isWithin(most, f.Cores) && isWithin(most, f.ServiceTime) &&
		isWithin(most, f.Rate) && isWithin(most, f.RateOfOthers) && isWithin(most, f.RateOfReceiver) &&
		isWithin(most, f.EntryRate) && isWithin(most, f.InFlight) && isWithin(most, f.InFlightOfReceiver)
}

func isWithin(most, figure float64) bool { return figure >= 0 && figure <= most } // NaN isn't either

// numbered are figures with the number of their service.
type numbered struct {
	service uint64
	policy.Figures
}

func appendFigures(into []byte, one *numbered) []byte {
	into = binary.BigEndian.AppendUint64(into, one.service)
	into = appendFigure(into, one.Cores)
	into = appendFigure(into, one.ServiceTime)
	into = appendFigure(into, one.Rate)
	into = appendFigure(into, one.RateOfOthers)
	into = appendFigure(into, one.RateOfReceiver)
	into = appendFigure(into, one.EntryRate)
	into = appendFigure(into, one.InFlight)
	return appendFigure(into, one.InFlightOfReceiver)
}

func appendFigure(into []byte, figure float64) []byte {
	bits := math.Float32bits(float32(figure)) + 1<<7 // to round
	return append(into, byte(bits>>24), byte(bits>>16), byte(bits>>8))
}

// parseFigures appends all that a datagram has.
func parseFigures(into []numbered, b []byte) (all []numbered, valid bool) {
	if len(b)%serviceBytes != 0 {
		return into, false
	}
	for ; len(b) > 0; b = b[serviceBytes:] {
		at := b[8:serviceBytes]
		one := numbered{binary.BigEndian.Uint64(b), policy.Figures{
			Cores:              figureAt(at, 0),
			ServiceTime:        figureAt(at, 1),
			Rate:               figureAt(at, 2),
			RateOfOthers:       figureAt(at, 3),
			RateOfReceiver:     figureAt(at, 4),
			EntryRate:          figureAt(at, 5),
			InFlight:           figureAt(at, 6),
			InFlightOfReceiver: figureAt(at, 7),
		}}
		if !areWithin(math.MaxFloat32, &one.Figures) {
			return into, false
		}
		into = append(into, one)
	}
	return into, true
}

func figureAt(b []byte, i int) float64 {
	at := b[figureBytes*i:]
	return float64(math.Float32frombits(uint32(at[0])<<24 | uint32(at[1])<<16 | uint32(at[2])<<8))
}
