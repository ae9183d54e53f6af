package sockets

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// CgroupOf returns the root of the cgroup file system of version 2, unless another cgroup is set.
func CgroupOf(set string) (string, error) {
	if set != "" {
		return set, nil
	}
	mounts, err := os.Open("/proc/self/mounts")
	if err != nil {
		return "", fmt.Errorf("find the cgroup file system: %w", err)
	}
	defer mounts.Close()
	return cgroupIn(bufio.NewScanner(mounts))
}

// cgroupIn returns the first mount, such as /sys/fs/cgroup, or /sys/fs/cgroup/unified next to version 1.
func cgroupIn(mounts *bufio.Scanner) (string, error) {
	for mounts.Scan() {
		if fields := strings.Fields(mounts.Text()); len(fields) > 2 && fields[2] == "cgroup2" {
			return fields[1], nil
		}
	}
	if err := mounts.Err(); err != nil {
		return "", fmt.Errorf("find the cgroup file system: %w", err)
	}
	return "", errors.New("no cgroup file system of version 2 is mounted: mount one next to version 1, as with `mount -t cgroup2 none /run/cgroup2`")
}

// isRoot reports whether a cgroup is the host's root: only others have events. In a container's own cgroup
// namespace, the root isn't the host's.
func isRoot(cgroup string) bool {
	_, err := os.Stat(filepath.Join(cgroup, "cgroup.events"))
	return errors.Is(err, os.ErrNotExist)
}
