package bgp

// Listener wakes the loop of a role whose engine has something to tell. All but Stir
// belongs to that loop.
type Listener struct {
	wake chan struct{}
	stop chan struct{}
}

// Listen begins; Close ends it.
func Listen(engine Engine) *Listener {
	l := &Listener{wake: make(chan struct{}, 1), stop: make(chan struct{})}
	go func() {
		for {
			select {
			case <-engine.Changed():
				l.Stir()
			case <-l.stop:
				return
			}
		}
	}()
	return l
}

// Stir makes Wake readable.
func (l *Listener) Stir() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// Wake is readable when there is something to look at.
func (l *Listener) Wake() <-chan struct{} { return l.wake }

// Close stops listening.
func (l *Listener) Close() { close(l.stop) }
