package program

import (
	"errors"
	"testing"

	"golang.org/x/sys/unix"
)

// reserve has no room until it was tried this often.
type reserve struct{ tries, err int }

func (r *reserve) Put(_, _ any) error {
	r.tries--
	if r.tries > 0 {
		return unix.Errno(r.err)
	}
	return nil
}

func TestAWriteWaitsUntilTheKernelHasRoomAgain(t *testing.T) {
	if err := PutReserved(&reserve{tries: 3, err: int(unix.ENOMEM)}, 1, 1); err != nil {
		t.Errorf("at the third try: %v", err)
	}
	if err := PutReserved(&reserve{tries: 1 << 30, err: int(unix.ENOMEM)}, 1, 1); !errors.Is(err, unix.ENOMEM) {
		t.Errorf("without room for long: %v", err)
	}
	if err := PutReserved(&reserve{tries: 2, err: int(unix.E2BIG)}, 1, 1); !errors.Is(err, unix.E2BIG) {
		t.Errorf("with another error: %v", err)
	}
}
