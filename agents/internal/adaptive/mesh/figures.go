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
)

// fields are in the order of a datagram.
func fields(f *policy.Figures) [figureCount]*float64 {
	return [...]*float64{
		&f.Cores, &f.ServiceTime, &f.Rate, &f.RateOfOthers, &f.RateOfReceiver, &f.EntryRate, &f.InFlight, &f.InFlightOfReceiver,
	}
}

// figureMost is the largest that is sent; rounding can't make it infinite.
const figureMost = 1e38

// areWithin excludes what no service can have.
func areWithin(most float64, f *policy.Figures) bool {
	for _, field := range fields(f) {
		if !(*field >= 0 && *field <= most) { // NaN isn't either
			return false
		}
	}
	return true
}

// numbered are figures with the number of their service.
type numbered struct {
	service uint64
	policy.Figures
}

func appendFigures(into []byte, one *numbered) []byte {
	into = binary.BigEndian.AppendUint64(into, one.service)
	for _, field := range fields(&one.Figures) {
		bits := math.Float32bits(float32(*field)) + 1<<7 // to round
		into = append(into, byte(bits>>24), byte(bits>>16), byte(bits>>8))
	}
	return into
}

// parseFigures appends all that a datagram has.
func parseFigures(into []numbered, b []byte) (all []numbered, valid bool) {
	if len(b)%serviceBytes != 0 {
		return into, false
	}
	for ; len(b) > 0; b = b[serviceBytes:] {
		one, rest := numbered{service: binary.BigEndian.Uint64(b)}, b[8:]
		for i, field := range fields(&one.Figures) {
			at := rest[figureBytes*i:]
			*field = float64(math.Float32frombits(uint32(at[0])<<24 | uint32(at[1])<<16 | uint32(at[2])<<8))
		}
		if !areWithin(math.MaxFloat32, &one.Figures) {
			return into, false
		}
		into = append(into, one)
	}
	return into, true
}
