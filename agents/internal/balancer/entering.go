package balancer

import (
	"fmt"
	"slices"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/events"
)

// byCost places connections by cost, next to an engine. An entry of package adaptive/entry is one.
type byCost interface {
	Set(services []datapath.Service) error
	Problem() string
	Remove() error
	Close()
}

// setEntry follows each Set of the engine, which carries these services now.
func (p *placing) setEntry(services []datapath.Service) error {
	isNeeded := slices.ContainsFunc(services, func(s datapath.Service) bool { return s.Chooser == datapath.ByCost })
	if !isNeeded {
		return p.removeEntry()
	}
	if p.entry == nil {
		opened, err := openEntry(p.engine, p.adaptivePins, p.replica)
		if err != nil {
			return err
		}
		p.entry = opened
	}
	return p.entry.Set(services)
}

// removeEntry is for when no service is placed by cost, and for before the engine is removed.
func (p *placing) removeEntry() error {
	if p.entry == nil {
		return nil
	}
	err := p.entry.Remove()
	p.entry = nil
	return err
}

// closeEntry ends the agent's part. The kernel continues to place connections by cost.
func (p *placing) closeEntry() {
	if p.entry != nil {
		p.entry.Close()
		p.entry = nil
	}
}

// clearFormer ends what a former process counts as open for other nodes' costs, if no service is placed by cost any more.
func (d *Driver) clearFormer(desired Desired) {
	if slices.ContainsFunc(desired.Services, func(s Service) bool { return s.Wanted.Chooser == datapath.ByCost }) {
		return // the entry of this process takes it over
	}
	if err := clearEntered(d.options.AdaptivePins, d.options.Engine.Name); err != nil {
		d.news.Record(events.Event{Reason: EngineFailed, Warning: true, Message: fmt.Sprintf("Connections of a former process may still count at this node's agent of the role adaptive: %v.", err)})
	}
}

// entryWarning returns why connections may not be placed by cost although they should be, as a sentence, or "".
func (p *placing) entryWarning() string {
	if p.entry == nil {
		return ""
	}
	if problem := p.entry.Problem(); problem != "" {
		return "Connections may be placed by weight instead of by cost: " + problem + "."
	}
	return ""
}
