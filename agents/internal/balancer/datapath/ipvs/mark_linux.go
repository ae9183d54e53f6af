package ipvs

import (
	"hash/fnv"

	"github.com/moby/ipvs"
)

// A service carries the mark of the replica that made it, in the field that says
// how long a client stays at its backend: the kernel hands it back, and heeds it
// only where a service is persistent, as none of ours is. So what is ours is known
// for as long as it is there, whatever becomes of our process and its files.
const (
	flagPersistent = 0x01

	markBase = 1 << 21      // in seconds, more than anybody lets a client stay
	markBits = markBase - 1 // the kernel counts it in up to 1000 ticks a second, in 32 bits
)

func markOf(replica string) uint32 {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(replica))
	return markBase | hash.Sum32()&markBits
}

func (e *Engine) made(kernel *ipvs.Service) bool {
	return kernel.Timeout == e.mark && kernel.Flags&flagPersistent == 0
}
