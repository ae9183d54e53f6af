package kernel

import (
	"errors"

	"golang.org/x/sys/unix"
)

// Probe tries all features, in a fixed order.
func Probe() []Feature {
	return []Feature{
		probeBPF(),
		probeIPVS(),
		probeNetworkNamespaces(),
		probeNFTables(),
		probePressure(pressureFile),
		probeResilientNextHops(),
		probeTCX(),
		probeXDP(),
	}
}

// denied reports a missing privilege, in contrast to a missing feature.
func denied(err error) bool {
	return errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES)
}
