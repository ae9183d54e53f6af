// Package wire carries frames between two interfaces late, and loses some: a
// cable with a length. It works where the kernel has no netem, and keeps
// segmentation and checksum offloads, so TCP is as fast as without it.
package wire
