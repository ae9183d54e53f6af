//go:build unix

package load

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// otherFiles is more than the files of this process that aren't connections.
const otherFiles = 50

// checkFiles returns an error if the users may need more connections than this process may open.
func checkFiles(users int) error {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return fmt.Errorf("read the limit of open files: %w", err)
	}
	if uint64(users+otherFiles) > limit.Cur {
		return fmt.Errorf("--users is %d, but this process may open only %d files: raise the limit (`ulimit -n %d`), or lower --users", users, limit.Cur, users+otherFiles)
	}
	return nil
}
