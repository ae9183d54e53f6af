package main

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// limitMemory makes the kernel refuse this process more memory than that, which ends it.
func limitMemory(bytes uint64) error {
	if err := unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: bytes, Max: bytes}); err != nil {
		return fmt.Errorf("limit the memory of this process: %w", err)
	}
	return nil
}
