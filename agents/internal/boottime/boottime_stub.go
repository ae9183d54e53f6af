//go:build !linux

package boottime

import "time"

var began = time.Now()

// Now is the time since the process started, and never 0.
func Now() time.Duration { return time.Since(began) + 1 }
