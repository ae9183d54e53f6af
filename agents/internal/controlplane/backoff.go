package controlplane

import (
	"context"
	"math/rand/v2"
	"time"
)

const (
	retryFirst = 500 * time.Millisecond
	retryMost  = 30 * time.Second
	// A refusal is a decision, not an outage; frequent retries don't change it.
	retryRefused = 5 * time.Minute
)

// backoff is the pause before the next attempt. The zero value is ready.
type backoff struct {
	failures int
}

// next doubles the pause and subtracts a random part of up to half, so that a thousand agents that
// lost the control plane together don't reconnect together.
func (b *backoff) next() time.Duration {
	pause := retryMost
	if b.failures < 6 { // 0.5 s << 6 exceeds the maximum
		pause = retryFirst << b.failures
	}
	b.failures++
	return jittered(pause)
}

func (b *backoff) reset() { b.failures = 0 }

// jittered returns between half of d and d.
func jittered(d time.Duration) time.Duration {
	return d/2 + rand.N(d/2+1)
}

// pause waits, and returns false if ctx ended first.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
