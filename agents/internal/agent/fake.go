package agent

import (
	"context"
	"reflect"
	"sync"
)

// Fake is a driver whose host is a variable, to test the loop without a host. Like a real host it
// may be read and changed at any time, so it has a lock.
type Fake[Desired any] struct {
	mu     sync.Mutex
	host   Desired
	fail   func(Desired) (halfway Desired, err error)
	closed bool
}

// Set implements [Driver].
func (f *Fake[Desired]) Set(_ context.Context, desired Desired) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fail != nil {
		if halfway, err := f.fail(desired); err != nil {
			f.host = halfway
			return 0, err
		}
	}
	if reflect.DeepEqual(f.host, desired) {
		return 0, nil
	}
	f.host = desired
	return 1, nil
}

// Observe implements [Driver].
func (f *Fake[Desired]) Observe(context.Context) (Desired, error) { return f.Host(), nil }

// Close implements [Driver].
func (f *Fake[Desired]) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	return nil
}

// Host is the actual state.
func (f *Fake[Desired]) Host() Desired {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.host
}

// Damage changes the host without the driver.
func (f *Fake[Desired]) Damage(host Desired) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.host = host
}

// FailWhen sets which Set fails, and the state it leaves; nil: none.
func (f *Fake[Desired]) FailWhen(fail func(Desired) (halfway Desired, err error)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fail = fail
}

// Closed reports whether Close was called.
func (f *Fake[Desired]) Closed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.closed
}
