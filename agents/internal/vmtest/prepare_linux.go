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
		err := unix.Mount(mount.kind, mount.at, mount.kind, 0, mount.data)
		isThere := mount.kind == "devtmpfs" && errors.Is(err, unix.EBUSY)
		isMachine := mount.kind == "hostfs" && errors.Is(err, unix.ENODEV) // its modules are in the initial file system
		if err != nil && !isThere && !isMachine {
			return fmt.Errorf("mount %s: %w", mount.at, err)
		}
	}
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		return err
	}
	folder := filepath.Join("/modules", unix.ByteSliceToString(name.Release[:]))
	files, err := filesOf(folder, modules)
	if err != nil {
		return err
	}
	for _, path := range files {
		if err := load(filepath.Join(folder, path)); err != nil {
			return err
		}
	}
	return nil
}

// filesOf returns the files of modules and of those that they need, in the order in which
// they are loaded. One that the kernel contains has none.
func filesOf(folder string, modules []string) (files []string, err error) {
	needs, err := dependencies(folder)
	if err != nil {
		return nil, err
	}
	contained, err := os.ReadFile(filepath.Join(folder, "modules.builtin"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	for _, module := range modules {
		if needs[module] == nil && !strings.Contains(string(contained), "/"+module+".ko") {
			return nil, fmt.Errorf("module %s isn't in %s", module, folder)
		}
		files = append(files, needs[module]...)
	}
	return files, nil
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
		name, _, _ := strings.Cut(filepath.Base(path), ".ko")
		needs[name] = order
	}
	return needs, lines.Err()
}

func load(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("load module: %w", err)
	}
	defer file.Close()
	flags := 0
	if !strings.HasSuffix(path, ".ko") {
		flags = unix.MODULE_INIT_COMPRESSED_FILE
	}
	if err := unix.FinitModule(int(file.Fd()), "", flags); err != nil && !errors.Is(err, unix.EEXIST) {
		return fmt.Errorf("load module %s: %w", path, err)
	}
	return nil
}
