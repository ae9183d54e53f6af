package balancer

// engineNames are all engines that a config may request, best first. It is also the order
// of `auto`: tcx needs nothing but its own interface and keeps segments whole; xdp costs
// less per packet, but needs access to the host and receives large segments in pieces, so
// it comes second even if preflight succeeds. Both leave replies to the backends (DSR),
// as ipvs and nftables can; userspace copies every byte, and runs anywhere.
var engineNames = []string{"tcx", "xdp", "ipvs", "nftables", "userspace"}
