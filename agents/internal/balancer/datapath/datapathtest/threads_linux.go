package datapathtest

import (
	"sync"

	"fairlead.dev/agents/internal/netspace"
)

// threads stay inside a namespace. A new thread for every connection would be expensive,
// especially in user-mode Linux.
type threads struct {
	space *netspace.Space
	idle  chan chan func()
}

// spaces are the namespaces with threads, while their network exists.
var spaces sync.Map // of *netspace.Space to *threads

func keepThreads(space *netspace.Space) (stop func()) {
	t := &threads{space: space, idle: make(chan chan func(), 64)}
	spaces.Store(space, t)
	return func() {
		spaces.Delete(space)
		for {
			select {
			case thread := <-t.idle:
				close(thread)
			default:
				return
			}
		}
	}
}

// do is Space.Do on an existing thread, if there is one.
func do(space *netspace.Space, run func() error) (err error) {
	kept, ok := spaces.Load(space)
	if !ok {
		return space.Do(run)
	}
	t := kept.(*threads)
	var thread chan func()
	select {
	case thread = <-t.idle:
	default:
		thread = make(chan func())
		entered := make(chan error, 2) // result of entering the namespace, and the thread's end
		go func() {
			entered <- space.Do(func() error {
				entered <- nil
				for job := range thread {
					job()
				}
				return nil
			})
		}()
		if err := <-entered; err != nil {
			return err
		}
	}
	done := make(chan struct{})
	thread <- func() { err = run(); close(done) }
	<-done
	select {
	case t.idle <- thread:
	default:
		close(thread)
	}
	return err
}
