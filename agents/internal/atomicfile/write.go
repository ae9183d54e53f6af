package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Write replaces the file at path. It returns nil only once the data would survive a power failure;
// on an error the old file remains. Each of prepare is called with the new file before readers find it.
func Write(path string, data []byte, perm os.FileMode, prepare ...func(*os.File) error) error {
	// One fixed name next to the target, so a crash leaves at most one stray file, which the next
	// Write replaces.
	temporary := path + ".new"
	if err := writeSynced(temporary, data, perm, prepare); err != nil {
		return errors.Join(err, removeStray(temporary))
	}
	if err := os.Rename(temporary, path); err != nil {
		return errors.Join(fmt.Errorf("replace %s: %w", path, err), removeStray(temporary))
	}
	return syncFolder(filepath.Dir(path))
}

func writeSynced(path string, data []byte, perm os.FileMode, prepare []func(*os.File) error) error {
	// Removed first: an existing file would keep its own, maybe wider, mode.
	if err := removeStray(path); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return fmt.Errorf("create %s: %w", path, err)
	}
	for _, each := range prepare {
		if err := each(file); err != nil {
			return errors.Join(err, file.Close())
		}
	}
	if _, err := file.Write(data); err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", path, err), file.Close())
	}
	if err := file.Sync(); err != nil {
		return errors.Join(fmt.Errorf("sync %s: %w", path, err), file.Close())
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("close %s: %w", path, err)
	}
	return nil
}

// syncFolder makes the rename itself durable.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("open folder %s: %w", path, err)
	}
	defer folder.Close()
	if err := folder.Sync(); err != nil {
		return fmt.Errorf("sync folder %s: %w", path, err)
	}
	return nil
}

func removeStray(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("remove stray %s: %w", path, err)
	}
	return nil
}
