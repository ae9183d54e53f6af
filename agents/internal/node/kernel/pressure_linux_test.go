package kernel

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestAKernelWithoutPressureIsNoFailure(t *testing.T) {
	of := func(err error) error { return &fs.PathError{Op: "read", Path: pressureFile, Err: err} }
	for _, test := range []struct {
		name  string
		err   error
		lacks bool
	}{
		{"no file", of(unix.ENOENT), true},
		{"started with psi=0", of(unix.EOPNOTSUPP), true},
		{"one of several files", errors.Join(nil, of(unix.EOPNOTSUPP)), true},
		{"a container that may not read it", of(unix.EACCES), true},
		{"a failure", of(unix.EMFILE), false},
		{"none", nil, false},
	} {
		if got := LacksPressure(test.err); got != test.lacks {
			t.Errorf("%s: got %v", test.name, got)
		}
	}
}

func TestTheReasonForMissingPressureSaysHowToEnableIt(t *testing.T) {
	got := probePressure(filepath.Join(t.TempDir(), "cpu"))
	if got.Available || !strings.Contains(got.Reason, "psi=1") {
		t.Fatalf("got %+v", got)
	}
}
