package bpf

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
)

// linkPin is the pin of the link that attaches the program.
const linkPin = "link"

// attach makes sure that packets pass the program. If they should have before, it counts
// as a change, because the program was detached manually.
func (e *Engine) attach(before bool) (changes int, err error) {
	if e.isFilter() {
		changes, err = e.attachFilter()
	} else {
		changes, err = e.attachAgain()
		err = errors.Join(err, e.dropFilters(err == nil))
	}
	if !before {
		changes = 0
	}
	return changes, err
}

func (e *Engine) attachAgain() (changes int, err error) {
	pin := filepath.Join(e.folder, linkPin)
	if e.link == nil {
		e.link, err = link.LoadPinnedLink(pin, nil)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return 0, fmt.Errorf("open the attachment of a former process: %w", err)
		}
		if err != nil {
			e.link = nil
		}
	}
	if e.link != nil {
		if err := e.keepLink(); err != nil {
			return 0, err
		}
		if e.link != nil {
			return e.repin(pin)
		}
	}
	if err := os.Remove(pin); err != nil && !errors.Is(err, os.ErrNotExist) {
		return 0, fmt.Errorf("remove the stale attachment: %w", err)
	}
	err = e.network.Within(func() (err error) {
		e.link, err = e.hook.Attach(e.program, e.network.Index)
		return err
	})
	if err != nil {
		e.link = nil
		return 0, fmt.Errorf("attach %s to %s: %w", e.hook.Name, e.network.Name, err)
	}
	if err := e.link.Pin(pin); err != nil {
		return 1, fmt.Errorf("pin the attachment: %w", err)
	}
	return 1, e.pinned.RemoveOthers()
}

// keepLink replaces the attached program in one step. It closes a link that is attached
// to nothing, or to another interface.
func (e *Engine) keepLink() error {
	info, err := e.link.Info()
	if err != nil {
		return fmt.Errorf("read the attachment: %w", err)
	}
	if e.hook.Interface(info) != e.network.Index {
		_ = e.link.Close()
		e.link = nil
		return nil
	}
	own, err := e.program.Info()
	if err != nil {
		return fmt.Errorf("read the program: %w", err)
	}
	if id, _ := own.ID(); id == ebpf.ProgramID(info.Program) {
		return nil
	}
	if err := e.link.Update(e.program); err != nil {
		return fmt.Errorf("replace the program: %w", err)
	}
	return e.pinned.RemoveOthers()
}

// repin restores the pin that holds the link when the process ends.
func (e *Engine) repin(pin string) (changes int, err error) {
	if _, err := os.Stat(pin); err == nil {
		return 0, nil
	}
	info, err := e.link.Info()
	if err != nil {
		return 0, fmt.Errorf("read the attachment: %w", err)
	}
	// Another handle, because this one is marked as pinned.
	again, err := link.NewFromID(info.ID)
	if err != nil {
		return 0, fmt.Errorf("open the attachment: %w", err)
	}
	if err := again.Pin(pin); err != nil {
		return 0, errors.Join(fmt.Errorf("pin the attachment: %w", err), again.Close())
	}
	_ = e.link.Close()
	e.link = again
	return 1, nil
}
