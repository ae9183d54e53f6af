package pins

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
)

const (
	bpffs         = "/sys/fs/bpf"
	defaultFolder = bpffs + "/fairlead"
)

// Folder differs per hook: when one replaces the other, both exist for a moment.
func Folder(hook string, options datapath.Options) string {
	folder := options.StateFolder
	if folder == "" {
		folder = defaultFolder
	}
	return filepath.Join(folder, options.Name, hook)
}

// MakeFolder creates a folder that survives the process, and mounts the file system if
// necessary.
func MakeFolder(folder string) error {
	if strings.HasPrefix(folder, bpffs+"/") {
		if err := mountOnce(bpffs); err != nil {
			return err
		}
	}
	err := os.MkdirAll(folder, 0o700)
	for range mostRemovals {
		if !errors.Is(err, os.ErrNotExist) && !errors.Is(err, os.ErrExist) {
			break
		}
		// Another replica was removed concurrently and deleted an empty parent folder. If
		// the folder existed at mkdir and was gone at stat, the error is "exists".
		err = os.MkdirAll(folder, 0o700)
	}
	if err != nil {
		return fmt.Errorf("create %s: %w", folder, err)
	}
	if !isBpffs(folder) {
		return fmt.Errorf("%s is not on a BPF file system: choose a folder below %s", folder, bpffs)
	}
	return nil
}

// mostRemovals bounds retries after concurrent removals of other replicas.
const mostRemovals = 100

// mountOnce mounts the BPF file system unless it is mounted. A second mount would hide
// what is pinned in the first, so replicas that start together take turns.
func mountOnce(at string) error {
	if isBpffs(at) {
		return nil
	}
	if err := os.MkdirAll(at, 0o755); err != nil {
		return fmt.Errorf("create %s: %w", at, err)
	}
	lock, err := os.Open(at)
	if err != nil {
		return fmt.Errorf("lock %s: %w", at, err)
	}
	defer lock.Close()
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX); err != nil {
		return fmt.Errorf("lock %s: %w", at, err)
	}
	if isBpffs(at) {
		return nil
	}
	if err := unix.Mount("bpf", at, "bpf", 0, ""); err != nil {
		return fmt.Errorf("mount %s (run as root, or mount it before): %w", at, err)
	}
	return nil
}

// RemoveFolder removes the folder, and its parents that we created, if they are empty.
func RemoveFolder(folder string) error {
	if err := os.RemoveAll(folder); err != nil {
		return fmt.Errorf("remove %s: %w", folder, err)
	}
	for range 2 {
		folder = filepath.Dir(folder)
		_ = os.Remove(folder) // fails unless it is empty
	}
	return nil
}

func isBpffs(path string) bool {
	var stat unix.Statfs_t
	return unix.Statfs(path, &stat) == nil && stat.Type == unix.BPF_FS_MAGIC
}
