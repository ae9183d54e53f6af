//go:build !linux

package load

import (
	"context"
	"time"
)

// timer is less precise than on Linux, so the limits of the generator are lower.
type timer struct{ ctx context.Context }

func newTimer(ctx context.Context) (*timer, error) { return &timer{ctx}, nil }

// sleep returns after the duration, or when the context ends.
func (t *timer) sleep(d time.Duration) {
	select {
	case <-t.ctx.Done():
	case <-time.After(d):
	}
}

func (*timer) close() {}
