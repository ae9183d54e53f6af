package bpf

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/cilium/ebpf/link"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/pins"
)

// Close releases the engine; the pinned state keeps carrying packets.
func (e *Engine) Close() error {
	select {
	case <-e.done:
		return nil
	default:
		close(e.done)
	}
	if e.walker != nil {
		e.walker.Close()
	}
	var errs []error
	for _, each := range e.events {
		errs = append(errs, each.Close())
	}
	for _, each := range e.listeners {
		errs = append(errs, each.Close())
	}
	e.ended.Wait()
	if e.link != nil {
		errs = append(errs, e.link.Close())
	}
	if e.program != nil {
		errs = append(errs, e.program.Close())
	}
	e.vacant.Close()
	if e.pinned != nil {
		e.pinned.Close()
	}
	if e.network != nil {
		errs = append(errs, e.network.Close())
	}
	return errors.Join(errs...)
}

// Remove removes everything.
func (e *Engine) Remove() error {
	var errs []error
	if e.link == nil {
		pinned, err := link.LoadPinnedLink(filepath.Join(e.folder, linkPin), nil)
		if err == nil {
			e.link = pinned
		} else if !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, fmt.Errorf("open the attachment of a former process: %w", err))
		}
	}
	if e.link != nil {
		// Unpinning and closing detaches; an explicit detach works even if other
		// processes hold the link.
		if err := e.link.Detach(); err != nil {
			errs = append(errs, fmt.Errorf("detach %s: %w", e.hook.Name, err))
		}
	}
	errs = append(errs, e.removeFilters())
	if err := pins.RemoveFolder(e.folder); err != nil {
		errs = append(errs, err)
	}
	return errors.Join(append(errs, e.Close())...)
}
