package kernel

import (
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"
)

// probeNetworkNamespaces moves one thread into a new network namespace. The
// thread stays locked to its goroutine, so it ends with it and takes the
// namespace along; no other goroutine ever runs in there.
func probeNetworkNamespaces() Feature {
	result := make(chan error)
	go func() { result <- loseThread() }()
	err := <-result
	const name = "network-namespaces"
	switch {
	case err == nil:
		return available(name)
	case denied(err):
		return missing(name, "Making network namespaces needs the capability CAP_SYS_ADMIN (or root).")
	}
	return missing(name, fmt.Sprintf("Network namespaces can't be made: %v.", err))
}

// loseThread moves the calling goroutine's thread away for good. Never the main
// one: it outlives its goroutine, and /proc/net is what the main thread sees.
func loseThread() error {
	runtime.LockOSThread()
	if unix.Gettid() != unix.Getpid() {
		return unix.Unshare(unix.CLONE_NEWNET)
	}
	defer runtime.UnlockOSThread()
	result := make(chan error)
	go func() { result <- loseThread() }() // on another thread: this one is held
	return <-result
}
