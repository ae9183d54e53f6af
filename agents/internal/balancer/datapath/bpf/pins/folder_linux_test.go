package pins

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/privileged"
)

// Each of several replicas creates its folder and is removed, which deletes the shared
// folder if it is empty.
func TestReplicasOfAHostCreateAndRemoveTheirFoldersConcurrently(t *testing.T) {
	privileged.Need(t)
	shared := filepath.Join(bpffs, fmt.Sprintf("fairlead-test-%d", os.Getpid()))
	t.Cleanup(func() { _ = os.RemoveAll(shared) })
	const replicas, rounds = 4, 500
	atOnce(replicas, func(replica int) {
		for range rounds {
			folder := filepath.Join(shared, fmt.Sprint("replica-", replica), "tcx")
			if err := MakeFolder(folder); err != nil {
				t.Error(err)
				return
			}
			if err := RemoveFolder(folder); err != nil {
				t.Error(err)
				return
			}
		}
	})
	if _, err := os.Stat(shared); !os.IsNotExist(err) {
		t.Errorf("the folder they share is left: %v", err)
	}
}

// A second mount would hide what is pinned in the first.
func TestTheFileSystemIsMountedOnce(t *testing.T) {
	privileged.Need(t)
	at := t.TempDir()
	atOnce(16, func(int) {
		if err := mountOnce(at); err != nil {
			t.Error(err)
		}
	})
	times := 0
	for ; isBpffs(at); times++ {
		if err := unix.Unmount(at, unix.MNT_DETACH); err != nil {
			t.Fatal(err)
		}
	}
	if times != 1 {
		t.Errorf("it was mounted %d times", times)
	}
}

// atOnce runs a function this many times concurrently.
func atOnce(times int, do func(int)) {
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range times {
		all.Go(func() { <-start; do(i) })
	}
	close(start)
	all.Wait()
}
