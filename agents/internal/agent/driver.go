package agent

import "context"

// Driver owns one part of the host: a sampler, a BGP speaker, a data path. The
// loop calls it from a single goroutine, so implementations need no locking of
// their own between Set and Observe.
type Driver[Desired, Observed any] interface {
	// Set makes the host match desired. Repeating an equal value changes
	// nothing; changes counts what had to be corrected.
	Set(ctx context.Context, desired Desired) (changes int, err error)

	// Observe reports the host as it is, whatever was asked of it.
	Observe(ctx context.Context) (Observed, error)

	// Close releases what the process holds. Traffic keeps flowing where the
	// kernel can carry it without us.
	Close() error
}
