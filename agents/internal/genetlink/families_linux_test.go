package genetlink

import (
	"errors"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

func TestFamiliesOfTheKernelAreListed(t *testing.T) {
	names, err := Families()
	if err != nil || !slices.Contains(names, "nlctrl") {
		t.Fatalf("got %q, %v", names, err)
	}
	if err := Request("nlctrl"); err != nil {
		t.Fatal(err)
	}
}

// The kernel may reject reserved bytes that aren't zero.
func TestTheHeaderHasOnlyItsOwnBytes(t *testing.T) {
	got := getFamily{}.Serialize()
	if !slices.Equal(got, []byte{unix.CTRL_CMD_GETFAMILY, 2, 0, 0}) || cap(got) != headerLength {
		t.Fatalf("got %v", got)
	}
}

func TestAnUnknownFamilyIsAnError(t *testing.T) {
	if err := Request("fairlead"); !errors.Is(err, unix.ENOENT) {
		t.Fatalf("got %v", err)
	}
}
