// Package arrivals records when the first and last packet for an address arrived on an interface,
// while it is observed. A socket filter writes the time into an eBPF map and accepts no packet:
// nothing is copied or delayed.
//
// It sees frames before an eBPF data path at tcx, whatever happens to them later. It doesn't see
// frames that native XDP takes in the driver. Frames that this host sends to itself, such as probes
// of package inward, aren't counted.
package arrivals
