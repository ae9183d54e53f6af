//go:build unix

package keys

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// owner is the user and the group of a folder.
type owner struct{ user, group uint32 }

func ownerOf(folder string) (owner, error) {
	info, err := os.Stat(folder)
	if err != nil {
		return owner{}, err
	}
	if !info.IsDir() {
		return owner{}, fmt.Errorf("open folder %s: %w", folder, syscall.ENOTDIR)
	}
	return of(info), nil
}

func of(info fs.FileInfo) owner {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return owner{}
	}
	return owner{stat.Uid, stat.Gid}
}

func (o owner) has(info fs.FileInfo) bool { return of(info) == o }

// give makes a file the owner's, unless it is already.
func (o owner) give(file *os.File) error {
	info, err := file.Stat()
	if err != nil || o.has(info) {
		return err
	}
	return file.Chown(int(o.user), int(o.group))
}
