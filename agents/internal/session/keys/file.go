package keys

import (
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

// Write replaces files in this order. A server that reads one at any time finds it whole.
func Write(files ...File) error {
	for _, file := range files {
		if err := atomicfile.Write(file.Path, file.Content.reveal(), filePermissions); err != nil {
			return fmt.Errorf("write ticket keys: %w", err)
		}
	}
	return nil
}

// prune removes the files of keys that a server doesn't read, in a folder where no other process writes. They
// include those that an interrupted write left.
func prune(folder string, kept []File) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("list ticket keys: %w", err)
	}
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		if !isKeyFile(entry.Name()) || slices.ContainsFunc(kept, func(file File) bool { return file.Path == path }) {
			continue
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("remove old ticket keys: %w", err)
		}
	}
	return nil
}
