package companion

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/pins"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// Tunnelled packets are unwrapped before all others see them, and accepted last.
var attached = []struct {
	program string // and the name of its pin
	at      ebpf.AttachType
	anchor  link.Anchor
}{
	{program.CompanionProgLearnSession, ebpf.AttachTCXEgress, link.Tail()},
	{program.CompanionProgAcceptSession, ebpf.AttachTCXIngress, link.Tail()},
	{program.DecapProgUnwrap, ebpf.AttachTCXIngress, link.Head()},
}

// openPinned opens the maps of a former process, or creates and pins them.
func (c *Companion) openPinned(specs map[string]*ebpf.MapSpec) (map[string]*ebpf.Map, error) {
	if c.folder == "" {
		return nil, nil
	}
	if err := pins.MakeFolder(c.folder); err != nil {
		return nil, err
	}
	shared := map[string]*ebpf.MapSpec{}
	for name, spec := range specs {
		if !strings.HasPrefix(name, constants) { // those belong to one version of the program
			shared[name] = spec
		}
	}
	c.layout = pins.GenerationOf(shared)
	return pins.OpenMaps(c.folder, shared)
}

// attach attaches the programs, whose maps have the services already.
func (c *Companion) attach() error {
	for _, one := range attached {
		found, err := c.attachOne(one.program, one.at, one.anchor)
		if err != nil {
			return err
		}
		c.links = append(c.links, found)
	}
	if c.folder == "" {
		return nil
	}
	return c.removeOtherLayouts()
}

func (c *Companion) attachOne(name string, at ebpf.AttachType, anchor link.Anchor) (link.Link, error) {
	own, pin := c.programNamed(name), filepath.Join(c.folder, name)
	if c.folder != "" {
		former, err := link.LoadPinnedLink(pin, nil)
		switch {
		case err == nil && c.isHere(former):
			if err := former.Update(own); err != nil {
				return nil, errors.Join(fmt.Errorf("replace the program of a former process: %w", err), former.Close())
			}
			return former, nil
		case err == nil: // its interface is gone
			if err := errors.Join(former.Close(), os.Remove(pin)); err != nil {
				return nil, fmt.Errorf("remove the attachment of a former process: %w", err)
			}
		case !errors.Is(err, os.ErrNotExist):
			return nil, fmt.Errorf("open the attachment of a former process: %w", err)
		}
	}
	fresh, err := link.AttachTCX(link.TCXOptions{Interface: c.device, Program: own, Attach: at, Anchor: anchor})
	if err != nil || c.folder == "" {
		return fresh, err
	}
	if err := fresh.Pin(pin); err != nil {
		return nil, errors.Join(fmt.Errorf("pin the attachment: %w", err), fresh.Close())
	}
	return fresh, nil
}

func (c *Companion) isHere(one link.Link) bool {
	info, err := one.Info()
	return err == nil && info.TCX() != nil && int(info.TCX().Ifindex) == c.device
}

// IsAttached reports whether the programs still run, and are still pinned: others may detach or unpin
// them.
func (c *Companion) IsAttached() bool {
	for i, one := range c.links {
		if !c.isHere(one) {
			return false
		}
		if _, err := os.Stat(filepath.Join(c.folder, attached[i].program)); c.folder != "" && err != nil {
			return false
		}
	}
	return true
}

// removeOtherLayouts removes maps of former programs that had others. No program uses them any more.
func (c *Companion) removeOtherLayouts() error {
	entries, err := os.ReadDir(c.folder)
	if err != nil {
		return fmt.Errorf("list %s: %w", c.folder, err)
	}
	for _, entry := range entries {
		if entry.IsDir() && entry.Name() != c.layout {
			if err := os.RemoveAll(filepath.Join(c.folder, entry.Name())); err != nil {
				return fmt.Errorf("remove maps of a former layout: %w", err)
			}
		}
	}
	return nil
}

// Remove ends the companion, and its pinned programs too. Existing connections stay.
func (c *Companion) Remove() error {
	errs := []error{c.Close()}
	if c.folder != "" {
		errs = append(errs, RemovePinned(c.folder))
	}
	return errors.Join(errs...)
}

// RemovePinned removes what was pinned in a folder, also if its interface is gone.
func RemovePinned(folder string) error {
	var errs []error
	for _, one := range attached {
		pinned, err := link.LoadPinnedLink(filepath.Join(folder, one.program), nil)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("open the attachment of a former process: %w", err))
			continue
		}
		errs = append(errs, pinned.Detach(), pinned.Close())
	}
	return errors.Join(append(errs, pins.RemoveFolder(folder))...)
}
