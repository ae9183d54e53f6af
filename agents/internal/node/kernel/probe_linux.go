package kernel

import (
	"errors"

	"golang.org/x/sys/unix"
)

// Probe tries everything, in an order that stays the same.
func Probe() []Feature {
	return []Feature{
		probeBPF(),
		probeIPVS(),
		probeNetworkNamespaces(),
		probeNFTables(),
		probeResilientNextHops(),
		probeTCX(),
		probeXDP(),
	}
}

// denied tells a missing privilege from a missing feature.
func denied(err error) bool {
	return errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES)
}
