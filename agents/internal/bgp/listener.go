package bgp

// Listener wakes a role's loop when its engine has changes. All methods but Notify belong to that
// loop.
type Listener struct {
	wake chan struct{}
	stop chan struct{}
}

// Listen starts a listener. Close stops it.
func Listen(engine Engine) *Listener {
	l := &Listener{wake: make(chan struct{}, 1), stop: make(chan struct{})}
	go func() {
		for {
			select {
			case <-engine.Changed():
				l.Notify()
			case <-l.stop:
				return
			}
		}
	}()
	return l
}

// Notify makes Wake readable.
func (l *Listener) Notify() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// Wake is readable when the engine has changes.
func (l *Listener) Wake() <-chan struct{} { return l.wake }

// Close stops the listener.
func (l *Listener) Close() { close(l.stop) }
