package atomicfile

import (
	"os"
	"path/filepath"
	"testing"
)

func TestReplacesContentAndMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	// A crash between writing and renaming leaves this behind.
	if err := os.WriteFile(path+".new", []byte("half"), 0o666); err != nil {
		t.Fatal(err)
	}

	if err := Write(path, []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}

	got, err := os.ReadFile(path)
	if err != nil || string(got) != "new" {
		t.Fatalf("content = %q, %v", got, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode = %v, %v", info.Mode(), err)
	}
	if _, err := os.Stat(path + ".new"); !os.IsNotExist(err) {
		t.Fatalf("the temporary file is still there: %v", err)
	}
}

func TestKeepsTheOldContentWhenItCannotWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	// A folder in the way of the temporary file fails for root too, unlike a
	// read-only mode.
	if err := os.MkdirAll(filepath.Join(path+".new", "in-the-way"), 0o700); err != nil {
		t.Fatal(err)
	}

	if err := Write(path, []byte("new"), 0o600); err == nil {
		t.Fatal("Write reported no error")
	}
	if got, _ := os.ReadFile(path); string(got) != "old" {
		t.Fatalf("content = %q, want the old one", got)
	}
}
