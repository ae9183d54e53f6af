package pressure

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// ErrMissing is that of a host that doesn't measure pressure.
var ErrMissing = errors.New("the kernel doesn't measure pressure")

// Files are where pressure is read: that of a cgroup of version 2, and of the host where the cgroup has none.
type Files struct {
	Cgroup string
	Host   string // /proc/pressure
}

// Stalls are the times since the start in which at least one process had to wait. The kernel adds to them every two seconds.
type Stalls struct{ CPU, Memory time.Duration }

// Read reads both.
func (f Files) Read() (stalls Stalls, err error) {
	for _, one := range []struct {
		name string
		into *time.Duration
	}{{"cpu", &stalls.CPU}, {"memory", &stalls.Memory}} {
		if *one.into, err = f.read(one.name); err != nil {
			return Stalls{}, fmt.Errorf("read the pressure of the %s: %w", one.name, err)
		}
	}
	return stalls, nil
}

func (f Files) read(name string) (time.Duration, error) {
	for _, path := range []string{filepath.Join(f.Cgroup, name+".pressure"), filepath.Join(f.Host, name)} {
		text, err := os.ReadFile(path)
		if isMissing(err) {
			continue
		}
		if err != nil {
			return 0, err
		}
		return parse(text)
	}
	return 0, ErrMissing
}

// isMissing: the kernel was built without it or started with psi=0, or this container may not read it.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EOPNOTSUPP)
}

// parse reads the total of "some avg10=0.00 avg60=0.00 avg300=0.00 total=0", in microseconds.
func parse(text []byte) (time.Duration, error) {
	for line := range bytes.Lines(text) {
		kind, rest, _ := bytes.Cut(line, []byte(" "))
		if string(kind) != "some" {
			continue
		}
		_, total, _ := bytes.Cut(rest, []byte("total="))
		microseconds, err := strconv.ParseInt(string(bytes.TrimSpace(total)), 10, 64)
		return time.Duration(microseconds) * time.Microsecond, err
	}
	return 0, fmt.Errorf("%q has no line for some processes", text)
}
