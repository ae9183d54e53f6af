package agent

import "context"

// Driver owns one part of the host: a sampler, a BGP speaker, a data path. The loop calls it from a
// single goroutine, so implementations need no locks between Set and Observe.
type Driver[Desired, Observed any] interface {
	// Set makes the host match desired. Repeating an equal value changes
	// nothing; changes counts what had to be corrected.
	Set(ctx context.Context, desired Desired) (changes int, err error)

	// Observe reports the actual state of the host, whatever was set.
	Observe(ctx context.Context) (Observed, error)

	// Close releases the resources of the process. Traffic continues where the kernel can carry it
	// without the process.
	Close() error
}
