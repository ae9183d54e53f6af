package pressure

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

const some, full = "some avg10=1.00 avg60=0.00 avg300=0.00 total=", "full avg10=0.00 avg60=0.00 avg300=0.00 total=9\n"

func TestPressureIsThatOfTheCgroupOrElseOfTheHost(t *testing.T) {
	cgroup, host := t.TempDir(), t.TempDir()
	write := func(folder, name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files := Files{Cgroup: cgroup, Host: host}
	want := func(stalls Stalls) {
		t.Helper()
		if got, err := files.Read(); err != nil || got != stalls {
			t.Errorf("got %v (%v), want %v", got, err, stalls)
		}
	}
	if _, err := files.Read(); !errors.Is(err, ErrMissing) {
		t.Errorf("without files: %v", err)
	}
	write(host, "cpu", some+"2\n"+full)
	write(host, "memory", full+some+"3\n")
	want(Stalls{2 * time.Microsecond, 3 * time.Microsecond})
	write(cgroup, "cpu.pressure", some+"7\n")
	want(Stalls{7 * time.Microsecond, 3 * time.Microsecond})
	for _, text := range []string{"", full, "some\n", some + "much\n"} {
		write(host, "memory", text)
		if _, err := files.Read(); err == nil || errors.Is(err, ErrMissing) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
