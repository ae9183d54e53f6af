package vmtest

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

const modulesDir = "/usr/lib/uml/modules"

// prepare sets up the system as an init does.
func prepare(modules []string) error {
	for _, mount := range []struct{ kind, at, data string }{
		{"proc", "/proc", ""}, {"sysfs", "/sys", ""}, {"devtmpfs", "/dev", ""}, {"tmpfs", "/run", ""}, {"tmpfs", "/tmp", ""},
		{"hostfs", "/modules", modulesDir},
	} {
		if err := unix.Mount(mount.kind, mount.at, mount.kind, 0, mount.data); err != nil && !(mount.kind == "devtmpfs" && errors.Is(err, unix.EBUSY)) {
			return fmt.Errorf("mount %s: %w", mount.at, err)
		}
	}
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		return err
	}
	folder := filepath.Join("/modules", unix.ByteSliceToString(name.Release[:]))
	needs, err := dependencies(folder)
	if err != nil {
		return err
	}
	for _, module := range modules {
		if needs[module] == nil {
			return fmt.Errorf("module %s isn't in %s", module, folder)
		}
		for _, path := range needs[module] {
			if err := load(filepath.Join(folder, path)); err != nil {
				return err
			}
		}
	}
	return nil
}

// dependencies returns the files to load for each module, in order.
func dependencies(folder string) (map[string][]string, error) {
	file, err := os.Open(filepath.Join(folder, "modules.dep"))
	if err != nil {
		return nil, fmt.Errorf("read which modules need which: %w", err)
	}
	defer file.Close()
	needs := map[string][]string{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		path, rest, _ := strings.Cut(lines.Text(), ":")
		order := []string{path}
		for _, need := range strings.Fields(rest) {
			order = append([]string{need}, order...)
		}
		needs[strings.TrimSuffix(filepath.Base(path), ".ko")] = order
	}
	return needs, lines.Err()
}

func load(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("load module: %w", err)
	}
	defer file.Close()
	if err := unix.FinitModule(int(file.Fd()), "", 0); err != nil && !errors.Is(err, unix.EEXIST) {
		return fmt.Errorf("load module %s: %w", path, err)
	}
	return nil
}
