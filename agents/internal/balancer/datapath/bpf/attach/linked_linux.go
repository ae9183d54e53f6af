package attach

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/neighbour"
)

// linkPin is the pin of the link that attaches the program.
const linkPin = "link"

// linked is an attachment by a pinned link.
type linked struct {
	point   Point
	network *neighbour.Network
	pin     string
	program *ebpf.Program // as last put
	link    link.Link
}

func newLinked(point Point, network *neighbour.Network, folder string) *linked {
	return &linked{point: point, network: network, pin: filepath.Join(folder, linkPin)}
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
	err = l.network.Within(func() (err error) {
		l.link, err = l.point.Attach(l.program, l.network.Index)
		return err
	})
	if err != nil {
		l.link = nil
		return 0, fmt.Errorf("attach %s to %s: %w", l.point.Name, l.network.Name, err)
	}
	if err := l.link.Pin(l.pin); err != nil {
		return 1, fmt.Errorf("pin the attachment: %w", err)
	}
	return 1, nil
}

// keepLink replaces the attached program in one step. It closes a link that is attached
// to nothing, or to another interface.
func (l *linked) keepLink() error {
	info, err := l.link.Info()
	if err != nil {
		return fmt.Errorf("read the attachment: %w", err)
	}
	if l.point.Interface(info) != l.network.Index {
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
	if info, err := l.link.Info(); err == nil && l.point.Interface(info) != l.network.Index {
		out = append(out, detachedWarning(l.network))
	}
	return append(out, l.chainWarnings()...)
}

// Try has nothing to do if a former process left its program on the interface: some hooks
// have room for one only.
func (l *linked) Try(program *ebpf.Program) error {
	if l.attachedBefore() {
		return nil
	}
	var attached link.Link
	err := l.network.Within(func() (err error) { attached, err = l.point.Attach(program, l.network.Index); return err })
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
	return err == nil && l.point.Interface(info) == l.network.Index
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
		return fmt.Errorf("detach %s: %w", l.point.Name, err)
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
