// Package rawip builds the packets of a probe and reads the replies, without a connection of the
// kernel: the probe's path and addresses may be such that the kernel would neither send the packets
// nor deliver the replies. It sends nothing itself.
package rawip
