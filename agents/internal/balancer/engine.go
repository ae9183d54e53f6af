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

// engineFile remembers, beyond the process, whose traces are in the kernel.
const engineFile = "balancer.engine"

// suit makes an engine run that can carry what is desired. One that runs and
// still can stays, because another would break connections. A switch counts as
// one change.
func (d *Driver) suit(ctx context.Context, desired Desired) (switched int, err error) {
	if d.running != nil && d.running.asked == desired.Engine && suits(d.running.choice.Candidate, desired.Services) == nil {
		return 0, nil
	}
	var next *running
	choice, err := choose(ctx, d.options.Candidates, d.options.Engine, desired, func(candidate datapath.Candidate) (err error) {
		next, err = d.try(ctx, candidate, desired)
		return err
	})
	if err != nil {
		return 0, err
	}
	next.choice, next.asked = choice, desired.Engine
	if next == d.running {
		return 0, nil
	}
	d.replaceBy(next)
	d.sayChoice(choice)
	return 1, nil
}

// try lets a candidate carry the services, beside the engine that does so far.
func (d *Driver) try(ctx context.Context, candidate datapath.Candidate, desired Desired) (*running, error) {
	if d.running != nil && d.running.choice.Candidate.Name == candidate.Name {
		return d.running, nil
	}
	engine, err := candidate.Open(d.options.Engine)
	if err != nil {
		return nil, fmt.Errorf("it can't be opened: %w", err)
	}
	services, err := d.merge(candidate, desired)
	if err == nil {
		_, err = engine.Set(ctx, services)
	}
	if err == nil {
		return &running{engine: engine, services: services}, nil
	}
	if formers, readErr := d.formers(); readErr == nil && slices.Contains(formers, candidate.Name) {
		return nil, errors.Join(err, engine.Close()) // what a former process left still carries its services
	}
	return nil, errors.Join(err, engine.Remove(), engine.Close())
}

// replaceBy takes away what carried the services before, now that the next one
// does: new connections found one of the two at any time.
func (d *Driver) replaceBy(next *running) {
	var err error
	if d.running != nil {
		err = d.retire()
	} else {
		err = d.clearUpAfterFormers(next.choice.Candidate.Name)
	}
	if err != nil {
		d.news.Say(events.Event{Reason: EngineFailed, Warning: true, Message: fmt.Sprintf("The former engine left something behind: %v.", err)})
	}
	if err := d.remember(next.choice.Candidate.Name, true); err != nil { // a full disk stops no traffic
		d.news.Say(events.Event{Reason: EngineFailed, Warning: true, Message: fmt.Sprintf("A restart with another engine could not clear up: %v.", err)})
	}
	next.handover = d.handOver(next.engine)
	d.running = next
}

// retire takes the running engine away with all it made.
func (d *Driver) retire() error {
	gone := d.running
	d.running = nil
	gone.handover.close()
	return d.removed(gone.choice.Candidate.Name, errors.Join(gone.engine.Remove(), gone.engine.Close()))
}

// removed forgets an engine, unless something of it is left for a later try.
func (d *Driver) removed(name string, err error) error {
	if err != nil {
		return err
	}
	return d.remember(name, false)
}

// clearUpAfterFormers removes what other engines of earlier processes left in
// the kernel: two that carry the same services would quarrel.
func (d *Driver) clearUpAfterFormers(next string) error {
	formers, err := d.formers()
	for _, former := range formers {
		if former != next {
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

// formers are the engines of earlier processes, or of this one, that may have left
// something in the kernel.
func (d *Driver) formers() ([]string, error) {
	data, err := os.ReadFile(d.enginePath())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("read which engines ran: %w", err)
	}
	return strings.Fields(string(data)), nil
}

// remember notes an engine or strikes it out. It is skipped when that is so already,
// and a full disk hurts only where something changes.
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

func (d *Driver) sayChoice(choice datapath.Choice) {
	text := fmt.Sprintf("The engine %s carries packets. %s", choice.Candidate.Name, choice.Reason)
	for _, refusal := range choice.Refused {
		text += fmt.Sprintf(" Not %s: %s", refusal.Engine, refusal.Reason)
	}
	d.news.Say(events.Event{Reason: EngineChosen, Message: text})
}
