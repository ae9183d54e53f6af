package attach

import (
	"errors"
	"fmt"
	"os"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
)

// place is where a link attaches a program: an interface or a cgroup.
type place interface {
	// name is for messages.
	name() string

	attach(program *ebpf.Program) (link.Link, error)

	// has reports whether a link is attached here.
	has(info *link.Info) bool

	// chain returns the programs that run here, in their order; nil where their order doesn't
	// matter.
	chain() ([]ebpf.ProgramID, error)
}

// linked is an attachment by a pinned link.
type linked struct {
	place   place
	kind    string // of the hook, for messages
	pin     string
	program *ebpf.Program // as last put
	link    link.Link
}

// Put counts as a change if the program was detached.
func (l *linked) Put(program *ebpf.Program) (changes int, err error) {
	l.program = program
	if l.link == nil {
		l.link, err = link.LoadPinnedLink(l.pin, nil)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return 0, fmt.Errorf("open the attachment of a former process: %w", err)
		}
		if err != nil {
			l.link = nil
		}
	}
	if l.link != nil {
		if err := l.keepLink(); err != nil {
			return 0, err
		}
		if l.link != nil {
			return l.repin()
		}
	}
	if err := os.Remove(l.pin); err != nil && !errors.Is(err, os.ErrNotExist) {
		return 0, fmt.Errorf("remove the stale attachment: %w", err)
	}
	if l.link, err = l.place.attach(l.program); err != nil {
		l.link = nil
		return 0, fmt.Errorf("attach %s to %s: %w", l.kind, l.place.name(), err)
	}
	if err := l.link.Pin(l.pin); err != nil {
		return 1, fmt.Errorf("pin the attachment: %w", err)
	}
	return 1, nil
}

// keepLink replaces the attached program in one step. It closes a link that is attached
// to nothing, or elsewhere.
func (l *linked) keepLink() error {
	info, err := l.link.Info()
	if err != nil {
		return fmt.Errorf("read the attachment: %w", err)
	}
	if !l.place.has(info) {
		_ = l.link.Close()
		l.link = nil
		return nil
	}
	own, err := l.program.Info()
	if err != nil {
		return fmt.Errorf("read the program: %w", err)
	}
	if id, _ := own.ID(); id == ebpf.ProgramID(info.Program) {
		return nil
	}
	if err := l.link.Update(l.program); err != nil {
		return fmt.Errorf("replace the program: %w", err)
	}
	return nil
}

// repin restores the pin that holds the link when the process ends.
func (l *linked) repin() (changes int, err error) {
	if _, err := os.Stat(l.pin); err == nil {
		return 0, nil
	}
	info, err := l.link.Info()
	if err != nil {
		return 0, fmt.Errorf("read the attachment: %w", err)
	}
	// Another handle, because this one is marked as pinned.
	again, err := link.NewFromID(info.ID)
	if err != nil {
		return 0, fmt.Errorf("open the attachment: %w", err)
	}
	if err := again.Pin(l.pin); err != nil {
		return 0, errors.Join(fmt.Errorf("pin the attachment: %w", err), again.Close())
	}
	_ = l.link.Close()
	l.link = again
	return 1, nil
}

// Attached returns the program that the pinned link attaches.
func (l *linked) Attached() (ebpf.ProgramID, error) {
	attached, err := link.LoadPinnedLink(l.pin, nil)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("open the attachment of a former process: %w", err)
	}
	defer attached.Close()
	info, err := attached.Info()
	if err != nil {
		return 0, fmt.Errorf("read the attachment: %w", err)
	}
	return info.Program, nil
}

// Warnings are empty before Put.
func (l *linked) Warnings(bool) (out []string) {
	if l.link == nil {
		return nil
	}
	if info, err := l.link.Info(); err == nil && !l.place.has(info) {
		out = append(out, detachedWarning(l.place.name()))
	}
	return append(out, l.chainWarnings()...)
}

// Try has nothing to do if a former process left its program here: some hooks
// have room for one only.
func (l *linked) Try(program *ebpf.Program) error {
	if l.attachedBefore() {
		return nil
	}
	attached, err := l.place.attach(program)
	if err != nil {
		return err
	}
	return attached.Close()
}

func (l *linked) attachedBefore() bool {
	pinned, err := link.LoadPinnedLink(l.pin, nil)
	if err != nil {
		return false
	}
	defer pinned.Close()
	info, err := pinned.Info()
	return err == nil && l.place.has(info)
}

// Remove detaches explicitly, which works even if other processes hold the link.
func (l *linked) Remove() error {
	if l.link == nil {
		pinned, err := link.LoadPinnedLink(l.pin, nil)
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("open the attachment of a former process: %w", err)
		}
		l.link = pinned
	}
	err := l.link.Detach()
	if removed := os.Remove(l.pin); !errors.Is(removed, os.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	if err = errors.Join(err, l.Close()); err != nil {
		return fmt.Errorf("detach %s: %w", l.kind, err)
	}
	return nil
}

// Close closes the link, which stays pinned.
func (l *linked) Close() error {
	if l.link == nil {
		return nil
	}
	err := l.link.Close()
	l.link = nil
	return err
}
