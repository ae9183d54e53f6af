package netspace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Names lists the namespaces with a prefix.
func Names(prefix string) ([]string, error) {
	entries, err := os.ReadDir(Folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("list namespaces: %w", err)
	}
	var names []string
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), prefix) {
			names = append(names, entry.Name())
		}
	}
	return names, nil
}

// Processes lists the processes in any of the namespaces, except this one. A
// name without a namespace has none.
func Processes(names ...string) ([]int, error) {
	inside := map[[2]uint64]bool{}
	for _, name := range names {
		if id, err := identify(filepath.Join(Folder, name)); err == nil {
			inside[id] = true
		}
	}
	// A leftover name without its mount is a plain file, without processes.
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	var pids []int
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		if id, err := identify(filepath.Join("/proc", entry.Name(), "ns/net")); err == nil && inside[id] {
			pids = append(pids, pid)
		}
	}
	return pids, nil
}

func identify(path string) ([2]uint64, error) {
	var stat unix.Stat_t
	err := unix.Stat(path, &stat)
	return [2]uint64{uint64(stat.Dev), stat.Ino}, err
}
