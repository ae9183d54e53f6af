package keys

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"fairlead.dev/agents/internal/atomicfile"
)

// filePermissions are those of all files with keys.
const filePermissions = 0o600

// File is one that a server reads keys from.
type File struct {
	Path    string
	Content Secret
}

// Write replaces files in this order. A server that reads one at any time finds it whole. Each belongs to the
// owner of its folder, who may be another user than the agent's.
func Write(files ...File) error {
	for _, file := range files {
		owner, err := ownerOf(filepath.Dir(file.Path))
		if err == nil {
			err = atomicfile.Write(file.Path, file.Content.reveal(), filePermissions, owner.give)
		}
		if err != nil {
			return fmt.Errorf("write ticket keys: %w", err)
		}
	}
	return nil
}

// replace writes those files that differ, and then the last one too: servers watch that one.
func replace(files ...File) (changed bool, err error) {
	for i, file := range files {
		if isLast := i == len(files)-1; !isLast || !changed {
			same, err := file.isWritten()
			if err != nil {
				return changed, err
			}
			if same {
				continue
			}
		}
		if err := Write(file); err != nil {
			return changed, err
		}
		changed = true
	}
	return changed, nil
}

// isWritten reports whether the file is on the disk as Write leaves it.
func (f File) isWritten() (bool, error) {
	owner, err := ownerOf(filepath.Dir(f.Path))
	if err != nil {
		return false, err
	}
	info, err := os.Lstat(f.Path)
	want := f.Content.reveal()
	if err != nil || info.Mode() != filePermissions || info.Size() != int64(len(want)) || !owner.has(info) {
		return false, nil // it is replaced, and an error of the disk occurs again then
	}
	got, err := os.ReadFile(f.Path)
	return err == nil && bytes.Equal(got, want), nil
}

// prune removes the files of keys that a server doesn't read, in a folder where no other process writes. They
// include those that an interrupted write left.
func prune(folder string, kept []File) (changed bool, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return false, fmt.Errorf("list ticket keys: %w", err)
	}
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		if !isKeyFile(entry.Name()) || slices.ContainsFunc(kept, func(file File) bool { return file.Path == path }) {
			continue
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return changed, fmt.Errorf("remove old ticket keys: %w", err)
		}
		changed = true
	}
	return changed, nil
}
