package lab

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"fairlead.dev/agents/internal/privileged"
)

func TestTheNameIsFreeWhenTheFolderIs(t *testing.T) {
	privileged.Need(t)
	root := t.TempDir()
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			for taken := 0; taken < 2000; {
				folder, err := take(root, "handed")
				if errors.Is(err, ErrRunning) {
					continue
				}
				if err == nil {
					err = folder.release()
				}
				if err != nil {
					t.Error(err)
					return
				}
				taken++
			}
		})
	}
	both.Wait()
}

func TestATakenNameLeavesNoFolder(t *testing.T) {
	privileged.Need(t)
	first, err := take(t.TempDir(), "elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	defer first.release()
	root := t.TempDir()
	if _, err := take(root, "elsewhere"); !errors.Is(err, ErrElsewhere) {
		t.Errorf("from another folder: %v", err)
	}
	if _, err := os.Stat(filepath.Join(root, "elsewhere")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its folder: %v", err)
	}
}
