package diag

import (
	"os"
	"path/filepath"
	"syscall"

	"fairlead.dev/agents/internal/netspace"
)

// Spaces finds network namespaces by their inode, with a path to each: those of processes, and those with a name.
func Spaces() map[uint32]string {
	found := map[uint32]string{}
	for _, pattern := range []string{"/proc/[0-9]*/ns/net", filepath.Join(netspace.Folder, "*")} {
		paths, _ := filepath.Glob(pattern) // fails only for a bad pattern
		for _, path := range paths {
			info, err := os.Stat(path)
			if err != nil {
				continue // the process ended
			}
			if inode := uint32(info.Sys().(*syscall.Stat_t).Ino); found[inode] == "" {
				found[inode] = path
			}
		}
	}
	return found
}
