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

// ErrRunning reports that the lab is already up.
var ErrRunning = errors.New("this lab is up already")

// ErrElsewhere reports that the name is taken. Namespace names are unique on the whole host, whatever the
// folder.
var ErrElsewhere = errors.New("a lab of this name is up with another --run folder: take that one down, or give this one another name")

// Folder holds what a lab needs while it is up: sockets, logs, configs, process records. It is removed with the
// lab.
type Folder struct {
	Path string
	held *os.File
	name net.Listener // only reserves the name: one process can hold it
}

// Record identifies the processes of a lab.
type Record struct {
	Identity
	Outer    *Identity `json:"outer,omitempty"` // the process that created the user namespace; it ends last
	Digest   string    `json:"digest"`          // of the topology
	Rootless bool      `json:"rootless"`
}

// Identity distinguishes a process from all others, because a PID may be reused.
type Identity struct {
	Pid     int    `json:"pid"`
	Started uint64 `json:"started"` // in ticks since the host booted
}

func identify(pid int) (Identity, error) {
	started, err := startOf(pid)
	if err != nil {
		return Identity{}, fmt.Errorf("read the start time of process %d: %w", pid, err)
	}
	return Identity{pid, started}, nil
}

// alive reports whether the process still runs.
func (i Identity) alive() bool {
	started, err := startOf(i.Pid)
	return err == nil && i.Pid > 1 && started == i.Started
}

// DefaultRoot holds the folders of all labs of one user.
func DefaultRoot() string {
	if os.Geteuid() == 0 {
		return "/run/fairlead-lab"
	}
	// XDG_RUNTIME_DIR may still be that of the user who switched to this one.
	if runtime := os.Getenv("XDG_RUNTIME_DIR"); unix.Access(runtime, unix.W_OK) == nil {
		return filepath.Join(runtime, "fairlead-lab")
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("fairlead-lab-%d", os.Geteuid()))
}

// take locks the folder for as long as this process runs.
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
			continue // the previous owner has just left
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
		// It may have been removed between open and lock.
		if !same(held, path) {
			_ = held.Close()
			continue
		}
		f := &Folder{Path: path, held: held}
		if err := f.claim(name); err != nil {
			_ = os.Remove(path) // fails if a killed lab left files there
			return nil, errors.Join(err, held.Close())
		}
		return f, nil
	}
}

// endGrace is how long a killed process may hold its name after releasing its folder: the kernel closes one
// file after the other.
const endGrace = 500 * time.Millisecond

// claim reserves the name on this host with an abstract socket, so that it is freed however we end. Without
// root, namespaces are private anyway.
func (f *Folder) claim(name string) (err error) {
	if os.Geteuid() != 0 {
		return nil
	}
	for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		f.name, err = net.Listen("unix", "@"+prefixOf(name))
		if err == nil {
			return nil
		}
		if !errors.Is(err, unix.EADDRINUSE) {
			return fmt.Errorf("claim the name %s: %w", name, err)
		}
		if time.Since(began) > endGrace {
			return ErrElsewhere
		}
	}
}

// makePrivate rejects a folder that another user created.
func makePrivate(path string) error {
	// Another process may create, or remove, it at this moment.
	if err := os.MkdirAll(path, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return fmt.Errorf("the folder %s can't be created (%w): choose another with --run", path, err)
	}
	info, err := os.Lstat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
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

// release removes the folder with its contents. The name is released first: a process waiting for the folder
// recreates it as soon as it is gone, and then needs the name.
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
		return fmt.Errorf("encode the record of the lab: %w", err)
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

// startOf is when a process started, in ticks since boot. A zombie does not count.
func startOf(pid int) (uint64, error) {
	data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return 0, err
	}
	// The name in brackets may contain anything; the fields after it don't.
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
