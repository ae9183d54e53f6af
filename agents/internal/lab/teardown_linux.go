package lab

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/netspace"
)

// stopGrace is how long a process may take to stop.
const stopGrace = 5 * time.Second

// tearDown stops all processes, with SIGTERM first, and then removes everything.
func (l *Lab) tearDown() error {
	for _, m := range l.members {
		if m.unwatch != nil {
			m.unwatch()
		}
		if m.process == nil {
			continue
		}
		m.process.stop()
		if m.kind == speaker {
			_ = m.process.kill() // no client is left to drain for
		}
	}
	if !l.waitForEnds(stopGrace) {
		for _, m := range l.members {
			if m.process != nil {
				_ = m.process.kill() // those that have ended don't matter
			}
		}
		l.waitForEnds(stopGrace)
	}
	// Such as shells that users started inside.
	errs := []error{killAll(l.spaceNames())}
	for _, name := range slices.Backward(slices.Clone(l.order)) {
		errs = append(errs, l.dismantle(l.members[name]))
	}
	if l.wires != nil {
		errs = append(errs, l.wires.Delete())
	}
	return errors.Join(errs...)
}

// pinned is where balancers pin BPF objects that outlive their process; they outlive their namespace too.
const pinned = "/sys/fs/bpf/fairlead"

// unpin removes the pinned objects of a lab's balancers, by the names of their namespaces.
func unpin(names string) error {
	folders, err := filepath.Glob(filepath.Join(pinned, names))
	if err != nil {
		return fmt.Errorf("read the folder %s: %w", pinned, err)
	}
	for _, folder := range folders {
		if err := os.RemoveAll(folder); err != nil {
			return fmt.Errorf("remove what a balancer pinned: %w", err)
		}
	}
	if len(folders) > 0 {
		_ = os.Remove(pinned) // fails as long as other balancers have pinned objects there
	}
	return nil
}

func (l *Lab) spaceNames() []string {
	var names []string
	for _, m := range l.members {
		names = append(names, m.space.Name)
	}
	return names
}

func (l *Lab) waitForEnds(most time.Duration) (all bool) {
	deadline := time.After(most)
	for {
		running := false
		for _, m := range l.members {
			running = running || m.process != nil && m.process.command != nil
		}
		if !running {
			return true
		}
		select {
		case p := <-l.exits:
			l.exited(p)
		case <-deadline:
			return false
		}
	}
}

// sweep removes what a killed lab left behind: its processes died with it, but namespaces have no
// parent.
func sweep(folder, name string) error {
	if err := killRecorded(folder); err != nil {
		return err
	}
	// Without root nothing else is left: the namespaces were bound in a mount namespace that ended with its
	// processes.
	if os.Geteuid() == 0 {
		names, err := netspace.Names(prefixOf(name))
		if err != nil {
			return err
		}
		if err := killAll(names); err != nil {
			return err
		}
		if err := errors.Join(unpin(prefixOf(name)+"*"), removeCgroups(prefixOf(name)+"*")); err != nil {
			return err
		}
		for _, space := range names {
			if err := netspace.Delete(space); err != nil {
				return err
			}
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("read the folder %s: %w", folder, err)
	}
	for _, entry := range entries {
		if err := os.RemoveAll(filepath.Join(folder, entry.Name())); err != nil {
			return fmt.Errorf("empty %s: %w", folder, err)
		}
	}
	return nil
}

// killRecorded ends the recorded processes, if they are still the same.
func killRecorded(folder string) error {
	records, err := filepath.Glob(filepath.Join(folder, "*", "process"))
	if err != nil {
		return fmt.Errorf("read the folder %s: %w", folder, err)
	}
	for _, path := range records {
		var noted Identity
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		if _, err := fmt.Sscan(string(data), &noted.Pid, &noted.Started); err != nil {
			continue // half written when we were killed, so Pdeathsig has ended it
		}
		if noted.alive() {
			_ = unix.Kill(noted.Pid, unix.SIGKILL) // it may be ending right now
		}
	}
	return nil
}

// killAll kills all processes in some namespaces, and waits until they have ended.
func killAll(names []string) error {
	if len(names) == 0 {
		return nil
	}
	for deadline := time.Now().Add(stopGrace); ; time.Sleep(5 * time.Millisecond) {
		pids, err := netspace.Processes(names...)
		if err != nil || len(pids) == 0 {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("processes %v don't end although they were killed", pids)
		}
		for _, pid := range pids {
			_ = unix.Kill(pid, unix.SIGKILL) // it may be ending right now
		}
	}
}
