package neighbour

import (
	"fmt"
	"runtime"

	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"
)

// Within runs a function in the engine's namespace, from any thread.
func (n *Network) Within(run func() error) error { return Within(n.Space, run) }

// Within runs a function in a network namespace, on a thread that ends with it. Never on
// the main thread, which would stay there.
func Within(space netns.NsHandle, run func() error) error {
	result := make(chan error)
	go func() {
		runtime.LockOSThread()
		if unix.Gettid() == unix.Getpid() {
			defer runtime.UnlockOSThread()
			result <- Within(space, run) // on another thread: this one is the main thread
			return
		}
		if err := unix.Setns(int(space), unix.CLONE_NEWNET); err != nil {
			result <- fmt.Errorf("enter the network namespace: %w", err)
			return
		}
		result <- run()
	}()
	return <-result
}
