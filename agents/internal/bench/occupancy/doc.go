// Package occupancy counts the entries of the BPF maps of a process: how full each is.
package occupancy
