package adaptive

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// mounts are file systems of the kernel, mounted for the lab.
type mounts struct {
	folder string
	all    []string
	cpu    string // of version 1; empty if version 2 has the CPU controller
}

func newMounts() (m *mounts, err error) {
	m = &mounts{}
	if m.folder, err = os.MkdirTemp("", "fairlead-bench-"); err != nil {
		return m, err
	}
	if err := errors.Join(m.mount("bpf", "bpf", ""), m.mount("cgroup", "cgroup2", "")); err != nil {
		return m, err
	}
	controllers, err := os.ReadFile(filepath.Join(m.cgroup(), "cgroup.controllers"))
	if err != nil || slices.Contains(strings.Fields(string(controllers)), "cpu") {
		return m, err
	}
	if err := m.mount("cpu", "cgroup", "cpu"); err != nil {
		return m, fmt.Errorf("no CPU controller of cgroups: %w", err)
	}
	m.cpu = filepath.Join(m.folder, "cpu")
	return m, nil
}

func (m *mounts) cgroup() string { return filepath.Join(m.folder, "cgroup") }
func (m *mounts) bpf() string    { return filepath.Join(m.folder, "bpf") }

func (m *mounts) mount(name, kind, options string) error {
	at := filepath.Join(m.folder, name)
	if err := os.Mkdir(at, 0o755); err != nil {
		return err
	}
	if err := unix.Mount("none", at, kind, 0, options); err != nil {
		return fmt.Errorf("mount a file system %s: %w", kind, err)
	}
	m.all = append(m.all, at)
	return nil
}

func (m *mounts) Close() error {
	var errs []error
	for _, at := range m.all {
		errs = append(errs, unix.Unmount(at, unix.MNT_DETACH), os.Remove(at))
	}
	return errors.Join(append(errs, os.Remove(m.folder))...)
}
