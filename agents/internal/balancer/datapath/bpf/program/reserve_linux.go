package program

import (
	"errors"
	"time"

	"golang.org/x/sys/unix"
)

// Maps that aren't allocated in advance take entries from a reserve of the kernel, which may
// hold as few as four. The kernel refills it a moment later, at the next tick at the latest.
const (
	refillsWithin = time.Second
	refillCheck   = 2 * time.Millisecond
)

type putter interface{ Put(key, value any) error }

// PutReserved writes an entry of such a map, and waits for the refill if necessary.
func PutReserved(m putter, key, value any) error {
	for began := time.Now(); ; time.Sleep(refillCheck) {
		err := m.Put(key, value)
		if !errors.Is(err, unix.ENOMEM) || time.Since(began) > refillsWithin {
			return err
		}
	}
}
