package userspace

import "golang.org/x/sys/unix"

// descriptors is how many files this process may have open.
func descriptors() int64 {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return 1024
	}
	return int64(min(limit.Cur, 1<<30))
}
