package netspace

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"
)

// Folder is where namespaces have names, the same as for `ip netns`. Without write access to it,
// set another one before the first namespace is created.
var Folder = common

const common = "/run/netns"

// Space is one network namespace with a name.
type Space struct {
	Name   string
	handle netns.NsHandle
	links  *netlink.Handle
}

// New creates a namespace whose loopback is up and whose interfaces use IPv6 addresses without
// duplicate detection. It fails with fs.ErrExist if the name is taken.
func New(name string) (*Space, error) {
	if err := os.MkdirAll(Folder, 0o755); err != nil {
		return nil, fmt.Errorf("create %s: %w", Folder, err)
	}
	if Folder == common {
		if err := share(Folder); err != nil {
			return nil, fmt.Errorf("share %s: %w", Folder, err)
		}
	}
	path := filepath.Join(Folder, name)
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDONLY, 0o444)
	if err != nil {
		return nil, fmt.Errorf("create namespace %s: %w", name, err)
	}
	_ = file.Close()
	if err := onNewThread(func() error { return mountNew(path) }); err != nil {
		return nil, errors.Join(fmt.Errorf("create namespace %s: %w", name, err), os.Remove(path))
	}
	s, err := Open(name)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(s.Up("lo"), s.trustAddresses()); err != nil {
		return nil, errors.Join(err, s.Delete())
	}
	return s, nil
}

// Open finds a namespace by name; fs.ErrNotExist if there is none.
func Open(name string) (*Space, error) { return open(name, filepath.Join(Folder, name)) }

// OpenFile opens a namespace that has another name or none, such as by /proc/PID/ns/net. It can only
// be closed, not deleted.
func OpenFile(path string) (*Space, error) { return open(path, path) }

func open(name, path string) (*Space, error) {
	handle, err := netns.GetFromPath(path)
	if err != nil {
		return nil, fmt.Errorf("open namespace %s: %w", name, err)
	}
	links, err := netlink.NewHandleAt(handle)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open netlink in %s: %w", name, err), handle.Close())
	}
	return &Space{Name: name, handle: handle, links: links}, nil
}

// Links is netlink inside the namespace.
func (s *Space) Links() *netlink.Handle { return s.links }

// Do runs a function inside, such as to open a socket. Sockets stay inside; goroutines that it
// starts don't.
func (s *Space) Do(inside func() error) error {
	return onNewThread(func() error {
		if err := unix.Setns(int(s.handle), unix.CLONE_NEWNET); err != nil {
			return fmt.Errorf("enter namespace %s: %w", s.Name, err)
		}
		return inside()
	})
}

// Start starts a process inside. Its SysProcAttr must not set Pdeathsig: the thread that starts it
// ends at once, and would trigger the signal.
func (s *Space) Start(command *exec.Cmd) error {
	return s.Do(func() error {
		if err := command.Start(); err != nil {
			return fmt.Errorf("start %s in %s: %w", command.Path, s.Name, err)
		}
		return nil
	})
}

// Run runs a process inside and returns its output.
func (s *Space) Run(ctx context.Context, name string, arguments ...string) (string, error) {
	output, err := []byte(nil), error(nil)
	inner := s.Do(func() error {
		output, err = exec.CommandContext(ctx, name, arguments...).CombinedOutput()
		return nil
	})
	if err != nil {
		err = fmt.Errorf("%s in %s: %w: %s", name, s.Name, err, output)
	}
	return string(output), errors.Join(inner, err)
}

// Listen and Dial open sockets inside.
func (s *Space) Listen(ctx context.Context, network, address string) (listener net.Listener, err error) {
	err = s.Do(func() (err error) {
		listener, err = new(net.ListenConfig).Listen(ctx, network, address)
		return err
	})
	return listener, err
}

// Dial connects from inside. It doesn't resolve names.
func (s *Space) Dial(ctx context.Context, network, address string) (conn net.Conn, err error) {
	err = s.Do(func() (err error) {
		conn, err = new(net.Dialer).DialContext(ctx, network, address)
		return err
	})
	return conn, err
}

// SetSysctl writes a setting of the namespace, such as "net/ipv4/ip_forward".
func (s *Space) SetSysctl(key, value string) error {
	return s.SetSysctls(map[string]string{key: value})
}

// SetSysctls writes many settings.
func (s *Space) SetSysctls(settings map[string]string) error {
	return s.Do(func() error {
		for key, value := range settings {
			// /proc/sys/net shows the namespace of the thread that opens it.
			if err := os.WriteFile(filepath.Join("/proc/sys", key), []byte(value), 0); err != nil {
				return fmt.Errorf("set %s in %s: %w", key, s.Name, err)
			}
		}
		return nil
	})
}

// Close releases the namespace without deleting it.
func (s *Space) Close() error {
	s.links.Close()
	return s.handle.Close()
}

// Delete deletes the namespace. Processes inside must have ended.
func (s *Space) Delete() error {
	return errors.Join(s.Close(), Delete(s.Name))
}

// Delete deletes a namespace by name; a missing one is no error.
func Delete(name string) error {
	path := filepath.Join(Folder, name)
	if err := unix.Unmount(path, unix.MNT_DETACH); err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOENT) {
		return fmt.Errorf("unmount namespace %s: %w", name, err)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("delete namespace %s: %w", name, err)
	}
	return nil
}

// share makes a folder a shared mount, as the first `ip netns add` does. If that ran after us, its
// mount would cover our namespaces, and they couldn't be deleted.
func share(folder string) error {
	lock, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX); err != nil { // as ip does
		return err
	}
	err = unix.Mount("", folder, "none", unix.MS_SHARED|unix.MS_REC, "")
	if !errors.Is(err, unix.EINVAL) { // it is a mount
		return err
	}
	if err := unix.Mount(folder, folder, "none", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return err
	}
	return unix.Mount("", folder, "none", unix.MS_SHARED|unix.MS_REC, "")
}

func mountNew(path string) error {
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		return err
	}
	return unix.Mount("/proc/thread-self/ns/net", path, "", unix.MS_BIND, "")
}

// onNewThread runs a function on a thread that ends with it, so that no other goroutine ever runs
// in that thread's namespace. It must not be the main thread, which would stay, and determines
// /proc/self.
func onNewThread(run func() error) error {
	result := make(chan error)
	go func() {
		runtime.LockOSThread()
		if unix.Gettid() == unix.Getpid() {
			defer runtime.UnlockOSThread()
			result <- onNewThread(run) // on another thread: this one is locked
			return
		}
		result <- run()
	}()
	return <-result
}
