//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// lockFolder prevents a second agent with the same identity. It locks the folder itself, which
// works on a full or read-only disk too, and the kernel unlocks it however the process ends.
func lockFolder(path string) (release func(), err error) {
	folder, err := os.Open(path)
	if err != nil {
		return nil, refuse("the state folder can't be opened: %w", err)
	}
	err = unix.Flock(int(folder.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		folder.Close()
		return nil, refuse("another agent uses the state folder %s: stop it, or choose another folder with --state", path)
	}
	if err != nil {
		folder.Close()
		return nil, fmt.Errorf("lock the state folder %s: %w", path, err)
	}
	return func() { folder.Close() }, nil
}
