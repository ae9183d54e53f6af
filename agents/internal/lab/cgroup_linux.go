package lab

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/adaptive/sockets"
)

// cgroupFile is in the folder of each member whose processes belong to a node with a cgroup, and has its path.
const cgroupFile = "cgroup"

// makeCgroup gives a node a cgroup that contains all of its processes, as the root does on a machine.
func (l *Lab) makeCgroup(on *member) error {
	root, err := sockets.CgroupOf("")
	if err != nil {
		return err
	}
	path := filepath.Join(root, on.space.Name)
	if err := os.Mkdir(path, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("a cgroup can't be created in %s (%w): run the lab as root, with that file system writable", root, err)
	}
	on.cgroup = path
	return nil
}

// cgroupOf returns the cgroup of a member's processes: its node's, if that has one.
func (l *Lab) cgroupOf(m *member) string {
	if on := l.members[cmp.Or(m.node, m.name)]; on != nil {
		return on.cgroup
	}
	return ""
}

// noteCgroup lets programs that a user runs inside join the cgroup.
func (l *Lab) noteCgroup(m *member) error {
	path := l.cgroupOf(m)
	if path == "" {
		return nil
	}
	if err := os.MkdirAll(l.folder.at(m.name), 0o700); err != nil {
		return fmt.Errorf("create the folder of %s: %w", m.name, err)
	}
	return os.WriteFile(l.folder.at(m.name, cgroupFile), []byte(path), 0o600)
}

// JoinCgroup moves this process to the cgroup of a member, if it has one. So its connections are those of the node.
func (r Remote) JoinCgroup(member string) error {
	path, err := os.ReadFile(filepath.Join(r.folder, member, cgroupFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(string(path), "cgroup.procs"), []byte(strconv.Itoa(os.Getpid())), 0)
	}
	if err != nil {
		return fmt.Errorf("join the cgroup of %s: %w", member, err)
	}
	return nil
}

// removeCgroups removes what a killed lab left, by the names of its nodes' namespaces.
func removeCgroups(names string) error {
	root, err := sockets.CgroupOf("")
	if err != nil {
		return nil // without the file system there are none
	}
	folders, err := filepath.Glob(filepath.Join(root, names))
	if err != nil {
		return fmt.Errorf("read the folder %s: %w", root, err)
	}
	var errs []error
	for _, folder := range folders {
		errs = append(errs, removeCgroup(folder))
	}
	return errors.Join(errs...)
}

// removeCgroup kills the processes in a cgroup, such as one that a user moved there, and removes it.
func removeCgroup(path string) error {
	kill := filepath.Join(path, "cgroup.kill")
	if err := os.WriteFile(kill, []byte("1"), 0); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("kill the processes of a cgroup: %w", err)
	}
	for deadline := time.Now().Add(stopGrace); ; time.Sleep(5 * time.Millisecond) {
		err := os.Remove(path)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if !errors.Is(err, unix.EBUSY) || time.Now().After(deadline) {
			return fmt.Errorf("remove a cgroup: %w", err)
		}
	}
}
