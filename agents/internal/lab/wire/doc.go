// Package wire forwards frames between two interfaces with delay and loss: a long cable. It works where the
// kernel has no netem, and keeps segmentation and checksum offloads, so TCP is as fast as without it.
package wire
