// Package arrivals notices when the first and the last packet for an address came in by an
// interface, for as long as somebody wants to know. A socket filter writes the time into a
// map of the kernel and takes no packet: nothing is copied, and nothing is delayed.
//
// It sees frames before an eBPF data path at tcx does, and whatever becomes of them. What
// XDP takes in the driver never gets as far as here: of that nothing is known. Frames that
// this host sends to itself, as questions of package inward are, don't count.
package arrivals
