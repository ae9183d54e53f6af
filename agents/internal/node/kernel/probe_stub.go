//go:build !linux

package kernel

// Probe says that all of it is Linux.
func Probe() []Feature {
	var features []Feature
	for _, name := range []string{"bpf", "ipvs", "network-namespaces", "nftables", "resilient-next-hops", "tcx", "xdp"} {
		features = append(features, missing(name, "This is available on Linux only."))
	}
	return features
}
