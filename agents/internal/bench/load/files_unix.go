//go:build unix

package load

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// otherFiles is more than the files of this process that aren't connections.
const otherFiles = 50

// fileLimit returns how many files this process may open.
func fileLimit() (uint64, error) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return 0, fmt.Errorf("read the limit of open files: %w", err)
	}
	return limit.Cur, nil
}

// checkFiles returns an error if the users may need more connections than files may be open.
func checkFiles(users int, limit uint64) error {
	if need := uint64(users + otherFiles); need > limit {
		return fmt.Errorf("--users is %d, but this process may open only %d files: raise the limit (`ulimit -n %d`), or lower --users", users, limit, need)
	}
	return nil
}
