package attach

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"
)

// inCgroup is a hook of the sockets of all processes in a cgroup, such as connect4.
type inCgroup struct {
	path string
	hook ebpf.AttachType
}

// Cgroup returns the attachment of a program at a hook of a cgroup of version 2, and of all
// below it. Programs of others run too, so there is no order to warn of.
func Cgroup(path string, hook ebpf.AttachType, folder string) (Attachment, error) {
	var system unix.Statfs_t
	if err := unix.Statfs(path, &system); err != nil {
		return nil, fmt.Errorf("find cgroup %s (name one that exists): %w", path, err)
	}
	if system.Type != unix.CGROUP2_SUPER_MAGIC {
		return nil, fmt.Errorf("%s is not in a cgroup file system of version 2: mount one, as with `mount -t cgroup2 none %s`", path, path)
	}
	kind := strings.ToLower(hook.String())
	return &linked{place: &inCgroup{path, hook}, kind: kind, pin: filepath.Join(folder, "link-"+kind)}, nil
}

func (c *inCgroup) name() string { return c.path }

func (c *inCgroup) attach(program *ebpf.Program) (link.Link, error) {
	return link.AttachCgroup(link.CgroupOptions{Path: c.path, Attach: c.hook, Program: program})
}

// has compares the cgroup's number, which is that of its folder.
func (c *inCgroup) has(info *link.Info) bool {
	folder, err := os.Stat(c.path)
	attached := info.Cgroup()
	return err == nil && attached != nil && attached.CgroupId == folder.Sys().(*syscall.Stat_t).Ino && ebpf.AttachType(attached.AttachType) == c.hook
}

func (c *inCgroup) chain() ([]ebpf.ProgramID, error) { return nil, nil }
