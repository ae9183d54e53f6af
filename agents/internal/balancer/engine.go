package balancer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fairlead.dev/agents/internal/atomicfile"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/events"
)

// engineFile records across processes which engines have state in the kernel.
const engineFile = "balancer.engine"

// suit makes sure that an engine runs that can carry what is desired. The running one
// stays if it still can, because a switch would break connections. A switch counts as one
// change.
func (d *Driver) suit(ctx context.Context, desired Desired) (switched int, err error) {
	current := ""
	if d.running != nil && d.running.requested == desired.Engine {
		current = d.running.choice.Candidate.Name
		if len(unsuited(d.running.choice.Candidate, desired.Services)) == 0 || d.running.partly && d.desired.Equal(desired) {
			return 0, nil
		}
	}
	var next *running
	choice, err := choose(ctx, d.options.Candidates, d.options.Engine, desired, current, func(candidate datapath.Candidate, partly bool) (err error) {
		next, err = d.try(ctx, candidate, desired, partly)
		return err
	})
	if err != nil {
		return 0, err
	}
	next.choice, next.requested, next.partly = choice, desired.Engine, choice.Partly
	if next == d.running {
		return 0, nil
	}
	d.replaceBy(next)
	d.reportChoice(choice)
	return 1, nil
}

// partlyError is the error of a candidate that carries some services, and another engine
// might carry the others.
type partlyError struct {
	error
	services []datapath.Key // those that it doesn't carry
}

// try applies the services to a candidate while the current engine still carries them.
// Unless partly is set, the candidate has to carry all that any engine may carry. An
// engine that ran before a restart stays, because a switch would break connections.
func (d *Driver) try(ctx context.Context, candidate datapath.Candidate, desired Desired, partly bool) (*running, error) {
	if d.running != nil && d.running.choice.Candidate.Name == candidate.Name {
		return d.running, nil
	}
	if last, fails := d.failsAgain(candidate.Name, desired); fails && !partly {
		return nil, last.err
	}
	engine, err := candidate.Open(d.options.Engine)
	if err != nil {
		return nil, fmt.Errorf("it can't be opened: %w", err)
	}
	formers, readErr := d.formers()
	former := readErr == nil && slices.Contains(formers, candidate.Name)
	if d.running == nil {
		d.previous = nil
		if former {
			d.loadPrevious(candidate.Name)
		}
		d.loadFallbacks()
	}
	placing := d.newPlacing(candidate.Name, engine)
	services, failures := d.merge(candidate, desired)
	services = placing.choose(desired, services)
	if _, is := engine.(sessionProxy); is {
		err = d.proxy.close() // this one takes over
	}
	if first := d.asBefore(services); first != nil && d.running == nil {
		// The engine then knows how to carry those that fail again. Errors are those of the
		// next Set.
		own, _ := split(engine, first)
		_, _ = engine.Set(ctx, own)
	}
	var outcome datapath.Outcome
	if err == nil {
		services, outcome, err = d.setBoth(ctx, engine, placing, services, d.carriedNow())
	}
	if err == nil {
		err = placing.set(services, outcome.Failures)
		if d.running == nil { // otherwise the running engine stays
			d.reportPlacing(err)
			err = nil
		}
	}
	if err == nil && !partly && !former {
		err = ofEngine(outcome)
	}
	delete(d.attempts, candidate.Name)
	if failed, ok := errors.AsType[partlyError](err); ok {
		d.noteAttempt(candidate.Name, desired, failed)
	}
	if err == nil {
		return &running{engine: engine, placing: placing, services: services, failures: append(failures, outcome.Failures...)}, nil
	}
	err = errors.Join(err, d.undoProxy(ctx))
	if former {
		return nil, errors.Join(err, placing.end(), engine.Close()) // the state of a former process still carries its services
	}
	return nil, errors.Join(err, placing.removeEntry(), placing.close(), engine.Remove(), engine.Close())
}

// carriedNow returns what the running engine carries.
func (d *Driver) carriedNow() []datapath.Service {
	if d.running == nil {
		return nil
	}
	return d.running.services
}

// undoProxy makes the proxy carry what it does for the running engine.
func (d *Driver) undoProxy(ctx context.Context) error {
	if d.running == nil {
		return d.proxy.remove()
	}
	placing := d.running.placing
	_, err := d.proxy.finish(ctx, placing.ofProxy(d.running.engine, d.running.services), placing.tables())
	return errors.Join(err, placing.setHandoff(placing.partsLast))
}

// ofEngine returns the failures that another engine may not have.
func ofEngine(outcome datapath.Outcome) error {
	var services []datapath.Key
	known := map[datapath.Key]bool{}
	var errs []error
	for _, failure := range outcome.Failures {
		if failure.OfEngine {
			if !known[failure.Service] {
				known[failure.Service] = true
				services = append(services, failure.Service)
			}
			errs = append(errs, errors.New(failure.String()))
		}
	}
	if errs == nil {
		return nil
	}
	return partlyError{errors.Join(errs...), services}
}

// replaceBy removes the previous engine once the next one carries the services: new
// connections find one of the two at any time.
func (d *Driver) replaceBy(next *running) {
	var err error
	if d.running != nil {
		d.previous = nil
		err = d.retire()
	} else {
		err = d.clearUpAfterFormers(next.choice.Candidate.Name)
	}
	if !next.placing.handsOff() {
		err = errors.Join(err, d.handoffs.remove()) // of the previous engine, or of a former process
	}
	if err != nil {
		d.news.Record(events.Event{Reason: EngineFailed, Warning: true, Message: fmt.Sprintf("The previous engine could not be removed completely: %v.", err)})
	}
	if err := d.remember(next.choice.Candidate.Name, true); err != nil { // a full disk must not stop traffic
		d.news.Record(events.Event{Reason: EngineFailed, Warning: true, Message: fmt.Sprintf("The running engine could not be recorded, so a restart with another engine could not remove it: %v.", err)})
	}
	d.notePrevious(next.choice.Candidate.Name, nil, next.failures)
	next.handover = d.handOver(next.engine)
	d.running = next
	d.noteFallbacks()
}

// retire removes the running engine and all its state.
func (d *Driver) retire() error {
	gone := d.running
	d.running = nil
	gone.handover.close()
	return d.removed(gone.choice.Candidate.Name, errors.Join(gone.placing.removeEntry(), gone.placing.close(), gone.engine.Remove(), gone.engine.Close()))
}

// removed deletes an engine from the record, unless some of its state is left for a later
// try.
func (d *Driver) removed(name string, err error) error {
	if err != nil {
		return err
	}
	return d.remember(name, false)
}

// clearUpAfterFormers removes the kernel state of other engines of earlier processes: two
// engines that carry the same services would conflict.
func (d *Driver) clearUpAfterFormers(next string) error {
	formers, err := d.formers()
	for _, former := range formers {
		if former != next && (former != proxyEngine || d.proxy.engine == nil) {
			err = errors.Join(err, d.clearUpAfter(former))
		}
	}
	return err
}

func (d *Driver) clearUpAfter(former string) error {
	for _, candidate := range d.options.Candidates {
		if candidate.Name != former {
			continue
		}
		engine, err := candidate.Open(d.options.Engine)
		if err != nil {
			return fmt.Errorf("open %s to remove it: %w", candidate.Name, err)
		}
		return d.removed(former, errors.Join(engine.Remove(), engine.Close()))
	}
	return fmt.Errorf("engine %q ran here, which this agent doesn't have", former)
}

// formers returns the engines of this or earlier processes that may have state in the
// kernel.
func (d *Driver) formers() ([]string, error) {
	data, err := os.ReadFile(d.enginePath())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("read which engines ran: %w", err)
	}
	return strings.Fields(string(data)), nil
}

// remember adds an engine to the record or deletes it. It writes only changes, so that a
// full disk does no harm otherwise.
func (d *Driver) remember(name string, runs bool) error {
	formers, err := d.formers()
	if err != nil || slices.Contains(formers, name) == runs {
		return err
	}
	if runs {
		formers = append(formers, name)
	} else {
		formers = slices.DeleteFunc(formers, func(former string) bool { return former == name })
	}
	if err := atomicfile.Write(d.enginePath(), []byte(strings.Join(formers, "\n")), 0o600); err != nil {
		return fmt.Errorf("remember which engines run: %w", err)
	}
	return nil
}

func (d *Driver) enginePath() string { return filepath.Join(d.options.StateFolder, engineFile) }

func (d *Driver) reportChoice(choice datapath.Choice) {
	text := fmt.Sprintf("The engine %s carries packets. %s", choice.Candidate.Name, choice.Reason)
	for _, refusal := range choice.Refused {
		text += fmt.Sprintf(" Not %s: %s", refusal.Engine, refusal.Reason)
	}
	d.news.Record(events.Event{Reason: EngineChosen, Message: text})
}
