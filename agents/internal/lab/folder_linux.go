package lab

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// ErrRunning says that the laboratory is up already.
var ErrRunning = errors.New("this laboratory is up already")

// ErrElsewhere says that the name is taken: namespaces are called by it on the
// whole host, whatever the folder.
var ErrElsewhere = errors.New("a laboratory of this name is up with another --run folder: take that one down, or give this one another name")

// Folder is where a laboratory keeps what it needs while it is up: sockets,
// logs, configs, who its processes are. It goes away with it.
type Folder struct {
	Path string
	held *os.File
	name net.Listener // only reserves the name: the kernel lets only one process have it
}

// Record is who runs a laboratory.
type Record struct {
	Identity
	Outer    *Identity `json:"outer,omitempty"` // who started it in a user namespace and ends after it
	Digest   string    `json:"digest"`          // of the topology
	Rootless bool      `json:"rootless"`
}

// Identity distinguishes a process from all others: a pid may be reused.
type Identity struct {
	Pid     int    `json:"pid"`
	Started uint64 `json:"started"` // in ticks since the host booted
}

func identify(pid int) (Identity, error) {
	started, err := startOf(pid)
	if err != nil {
		return Identity{}, fmt.Errorf("find out when process %d began: %w", pid, err)
	}
	return Identity{pid, started}, nil
}

// alive says whether it still runs.
func (i Identity) alive() bool {
	started, err := startOf(i.Pid)
	return err == nil && i.Pid > 1 && started == i.Started
}

// DefaultRoot holds the folders of all laboratories of one user.
func DefaultRoot() string {
	if os.Geteuid() == 0 {
		return "/run/fairlead-lab"
	}
	// It may still be that of whoever became us.
	if runtime := os.Getenv("XDG_RUNTIME_DIR"); unix.Access(runtime, unix.W_OK) == nil {
		return filepath.Join(runtime, "fairlead-lab")
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("fairlead-lab-%d", os.Geteuid()))
}

// take makes the folder ours until we end, however we end.
func take(root, name string) (*Folder, error) {
	if err := makePrivate(root); err != nil {
		return nil, err
	}
	path := filepath.Join(root, name)
	for {
		if err := makePrivate(path); err != nil {
			return nil, err
		}
		held, err := os.Open(path)
		if errors.Is(err, os.ErrNotExist) {
			continue // whoever was here just left
		}
		if err != nil {
			return nil, fmt.Errorf("open %s: %w", path, err)
		}
		err = unix.Flock(int(held.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err != nil {
			_ = held.Close()
			if errors.Is(err, unix.EWOULDBLOCK) {
				return nil, ErrRunning
			}
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		// It may have been removed between being opened and being locked.
		if !same(held, path) {
			_ = held.Close()
			continue
		}
		f := &Folder{Path: path, held: held}
		if err := f.claim(name); err != nil {
			_ = os.Remove(path) // refused when one that was killed left something there
			return nil, errors.Join(err, held.Close())
		}
		return f, nil
	}
}

// endGrace is how long one that was killed may hold its name after it let go of
// its folder: the kernel closes one file after the other.
const endGrace = 500 * time.Millisecond

// claim takes the name on this host, by a socket in no file system, so that it
// is free again however we end. Ordinary users' namespaces are their own anyway.
func (f *Folder) claim(name string) (err error) {
	if os.Geteuid() != 0 {
		return nil
	}
	for asked := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		f.name, err = net.Listen("unix", "@"+prefixOf(name))
		if err == nil {
			return nil
		}
		if !errors.Is(err, unix.EADDRINUSE) {
			return fmt.Errorf("claim the name %s: %w", name, err)
		}
		if time.Since(asked) > endGrace {
			return ErrElsewhere
		}
	}
}

// makePrivate rejects a folder that another user created.
func makePrivate(path string) error {
	// One that exists after all came, and may have gone, this very moment.
	if err := os.MkdirAll(path, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return fmt.Errorf("the folder %s can't be made (%w): choose another with --run", path, err)
	}
	info, err := os.Lstat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at %s: %w", path, err)
	}
	var stat unix.Stat_t
	if err := unix.Lstat(path, &stat); err == nil && (!info.IsDir() || int(stat.Uid) != os.Geteuid()) {
		return fmt.Errorf("%s is not a folder of yours: choose another with --run", path)
	}
	return nil
}

func same(held *os.File, path string) bool {
	ours, err := held.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(ours, there)
}

// release removes the folder with everything in it. The name goes first: whoever
// waits for the folder makes it anew as soon as it is gone, and wants the name.
func (f *Folder) release() error {
	var errs []error
	if f.name != nil {
		errs = append(errs, f.name.Close())
	}
	return errors.Join(append(errs, os.RemoveAll(f.Path), f.held.Close())...)
}

func (f *Folder) at(parts ...string) string {
	return filepath.Join(append([]string{f.Path}, parts...)...)
}

func (f *Folder) write(record Record) error {
	data, err := json.Marshal(record)
	if err != nil {
		return fmt.Errorf("describe who runs the laboratory: %w", err)
	}
	return os.WriteFile(f.at("lab.json"), data, 0o600)
}

func readRecord(folder string) (Record, error) {
	var record Record
	data, err := os.ReadFile(filepath.Join(folder, "lab.json"))
	if err == nil {
		err = json.Unmarshal(data, &record)
	}
	return record, err
}

// startOf is when a process began, in ticks since boot; one that has ended and
// waits for its parent to notice is none.
func startOf(pid int) (uint64, error) {
	data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return 0, err
	}
	// The name in brackets may hold anything; the fields after it don't.
	fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
	const started = 22 - 3
	if len(fields) <= started {
		return 0, fmt.Errorf("/proc/%d/stat has %d fields", pid, len(fields))
	}
	if fields[0] == "Z" || fields[0] == "X" {
		return 0, os.ErrProcessDone
	}
	return strconv.ParseUint(fields[started], 10, 64)
}
