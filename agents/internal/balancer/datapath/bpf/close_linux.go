package bpf

import (
	"errors"

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
	if e.attachment != nil {
		errs = append(errs, e.attachment.Close())
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
	errs := []error{e.attachment.Remove()}
	if err := pins.RemoveFolder(e.folder); err != nil {
		errs = append(errs, err)
	}
	return errors.Join(append(errs, e.Close())...)
}
