// Package kernel probes what the running kernel allows this process to do. It tries each feature
// instead of comparing version numbers. No probe leaves a trace: it only reads, or changes a thread
// that is then discarded.
package kernel
