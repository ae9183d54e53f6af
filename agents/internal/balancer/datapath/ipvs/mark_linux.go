package ipvs

import (
	"hash/fnv"

	"github.com/moby/ipvs"
)

// A service carries the mark of the replica that created it, in the timeout for
// persistent clients: the kernel returns it, and uses it only for persistent services,
// which ours never are. So ownership is known as long as the service exists, without the
// process or its files.
const (
	flagPersistent = 0x01

	markBase = 1 << 21      // in seconds, longer than any real persistence timeout
	markBits = markBase - 1 // the kernel stores it in up to 1000 ticks per second, in 32 bits
)

func markOf(replica string) uint32 {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(replica))
	return markBase | hash.Sum32()&markBits
}

func (e *Engine) made(kernel *ipvs.Service) bool {
	return kernel.Timeout == e.mark && kernel.Flags&flagPersistent == 0
}
