//go:build !linux

package kernel

// Probe reports all features as missing: they need Linux.
func Probe() []Feature {
	var features []Feature
	for _, name := range []string{"bpf", "ipvs", "network-namespaces", "nftables", "pressure", "resilient-next-hops", "tcx", "xdp"} {
		features = append(features, missing(name, "This is available on Linux only."))
	}
	return features
}
