package backend

import (
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/netspace"
)

const (
	ownSpace  = "/proc/self/ns/net"
	dumpsMost = 5 // of addresses that change meanwhile
)

// space is a network namespace.
type space struct {
	*netspace.Space
	id        uint64             // the kernel never gives one twice until the host restarts
	addresses map[netip.Addr]int // and the index of the interface
}

// spaces are those that a search found.
type spaces struct {
	kept   []*space
	looked int // in how many
	denied int // how many processes' namespaces couldn't be read

	// failed is why others couldn't be read now, such as for lack of file descriptors.
	failed error
}

// search looks into the namespaces of this pattern's files, or of all processes if it is empty, and into the
// agent's own. It keeps some open, because a namespace exists as long as it is open.
func search(pattern string, keep func(*space) bool) (*spaces, error) {
	paths, err := spacePaths(pattern)
	if err != nil {
		return nil, err
	}
	found, seen := &spaces{}, map[[2]uint64]bool{}
	for _, path := range paths {
		var stat unix.Stat_t
		if err := unix.Stat(path, &stat); err != nil {
			found.note(err)
			continue
		}
		id := [2]uint64{stat.Dev, stat.Ino}
		if seen[id] {
			continue
		}
		var system unix.Statfs_t
		if err := unix.Statfs(path, &system); err != nil || system.Type != unix.NSFS_MAGIC {
			found.note(err)
			continue // what `ip netns` left behind after a crash is an ordinary file
		}
		one, err := openSpace(path)
		if err != nil { // the process may have ended: others can be in the same namespace
			found.note(err)
			continue
		}
		seen[id] = true
		found.looked++
		if keep(one) {
			found.kept = append(found.kept, one)
		} else if err := one.Close(); err != nil {
			return nil, errors.Join(err, found.close())
		}
	}
	return found, nil
}

// note stores why a namespace wasn't read. A process that ended meanwhile has none.
func (s *spaces) note(err error) {
	switch {
	case errors.Is(err, fs.ErrPermission):
		s.denied++
	case err == nil, errors.Is(err, fs.ErrNotExist), errors.Is(err, unix.ESRCH):
	default:
		s.failed = err
	}
}

// isWhole reports whether a namespace that wasn't found is gone.
func (s *spaces) isWhole() bool { return s.denied == 0 && s.failed == nil }

func (s *spaces) close() error {
	var errs []error
	for _, one := range s.kept {
		errs = append(errs, one.Close())
	}
	return errors.Join(errs...)
}

func spacePaths(pattern string) ([]string, error) {
	if pattern != "" {
		paths, err := filepath.Glob(pattern)
		return append([]string{ownSpace}, paths...), err
	}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	paths := []string{ownSpace}
	for _, entry := range entries {
		if _, err := strconv.Atoi(entry.Name()); err == nil {
			paths = append(paths, filepath.Join("/proc", entry.Name(), "ns/net"))
		}
	}
	return paths, nil
}

func openSpace(path string) (*space, error) {
	opened, err := netspace.OpenFile(path)
	if err != nil {
		return nil, err
	}
	one := &space{Space: opened, addresses: map[netip.Addr]int{}}
	if err := errors.Join(one.readID(), one.readAddresses()); err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	return one, nil
}

func (s *space) readID() error {
	return s.Do(func() error {
		socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			return fmt.Errorf("identify a namespace: %w", err)
		}
		defer unix.Close(socket)
		s.id, err = unix.GetsockoptUint64(socket, unix.SOL_SOCKET, unix.SO_NETNS_COOKIE)
		return err
	})
}

func (s *space) readAddresses() error {
	var list []netlink.Addr
	err := error(netlink.ErrDumpInterrupted)
	for range dumpsMost {
		if list, err = s.Links().AddrList(nil, netlink.FAMILY_ALL); !errors.Is(err, netlink.ErrDumpInterrupted) {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("list the addresses of %s: %w", s.Name, err)
	}
	for _, found := range list {
		if address, ok := netip.AddrFromSlice(found.IP); ok && found.LinkIndex != loopback {
			s.addresses[address.Unmap()] = found.LinkIndex
		}
	}
	return nil
}

// loopback is the index of the loopback interface in every namespace.
const loopback = 1
