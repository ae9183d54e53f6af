//go:build !linux

package mesh

import "time"

var began = time.Now()

// sinceBoot is the time since the process started.
func sinceBoot() time.Duration { return time.Since(began) + 1 }
