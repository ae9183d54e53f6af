package balancer

// engineNames are all that a config may ask for, best first. It is also the
// order of `auto`: tcx needs nothing but its own interface and keeps segments
// whole; xdp costs less per packet but needs the host's help and receives large
// segments in pieces, so it comes second although preflight may prove it. Both
// leave replies to the backends, as ipvs and nftables can; userspace copies every
// byte, and runs anywhere.
var engineNames = []string{"tcx", "xdp", "ipvs", "nftables", "userspace"}
