package kernel

import (
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"
)

// probeNetworkNamespaces moves one thread into a new network namespace. The thread stays locked to
// its goroutine, so both end together with the namespace; no other goroutine ever runs in it.
func probeNetworkNamespaces() Feature {
	result := make(chan error)
	go func() { result <- loseThread() }()
	err := <-result
	const name = "network-namespaces"
	switch {
	case err == nil:
		return available(name)
	case denied(err):
		return missing(name, "Creating network namespaces needs the capability CAP_SYS_ADMIN (or root).")
	}
	return missing(name, fmt.Sprintf("Network namespaces can't be created: %v.", err))
}

// loseThread moves the calling goroutine's thread into a new namespace permanently. It must not be
// the main thread, which outlives its goroutine and determines /proc/net.
func loseThread() error {
	runtime.LockOSThread()
	if unix.Gettid() != unix.Getpid() {
		return unix.Unshare(unix.CLONE_NEWNET)
	}
	defer runtime.UnlockOSThread()
	result := make(chan error)
	go func() { result <- loseThread() }() // on another thread: this one is locked
	return <-result
}
