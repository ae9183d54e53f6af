// Package pressure reads for how long processes of a cgroup, or of the host, had to wait for the CPU and for memory: the
// kernel's pressure stall information (PSI).
package pressure
