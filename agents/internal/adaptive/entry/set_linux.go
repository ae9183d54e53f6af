package entry

import (
	"errors"
	"fmt"
	"slices"

	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/balancer/datapath"
	engine "fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// Set places connections of those of these services that choose by cost. The engine must carry them: call it after
// each of the engine's Sets.
func (e *Entry) Set(services []datapath.Service) error {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.services = append([]datapath.Service{}, services...)
	return e.set(services)
}

// hasTargets reports whether there is any backend to choose by cost.
func hasTargets(services []datapath.Service) bool {
	return slices.ContainsFunc(services, func(s datapath.Service) bool { return s.Chooser == datapath.ByCost && len(s.Backends) > 0 })
}

func (e *Entry) set(services []datapath.Service) error {
	targets := map[program.EntryEntryTargetKey]program.EntryEntryTarget{}
	for i := range services {
		if services[i].Chooser != datapath.ByCost {
			continue
		}
		if err := e.addTargets(targets, &services[i]); err != nil {
			return err
		}
	}
	if len(targets) == 0 {
		e.unload()
		return e.uninstall()
	}
	if has, err := e.follow(); err != nil || !has {
		return errors.Join(err, e.uninstall())
	}
	if err := engine.ReplaceAll(e.collection.Maps[program.EntryMapEntryTargets], targets); err != nil {
		return fmt.Errorf("set the backends that are chosen by cost: %w", err)
	}
	if err := e.findMissing(services); err != nil {
		return err
	}
	return e.install()
}

// findMissing notes a service that the agent of the role adaptive doesn't have. Its config may be an earlier one, or it has
// rejected the service.
func (e *Entry) findMissing(services []datapath.Service) error {
	e.missing = ""
	for i := range services {
		if services[i].Chooser != datapath.ByCost || len(services[i].Backends) == 0 {
			continue
		}
		found, err := e.costs[program.EntryMapServices].LookupBytes(program.ToServiceKey(services[i].Key))
		if err != nil {
			return fmt.Errorf("look for the costs of %s: %w", services[i].Key, err)
		}
		if found == nil {
			e.missing = fmt.Sprintf("this node's agent of the role adaptive doesn't have %s", services[i].Key)
			return nil
		}
	}
	return nil
}

func (e *Entry) addTargets(targets map[program.EntryEntryTargetKey]program.EntryEntryTarget, service *datapath.Service) error {
	for _, b := range service.Backends {
		at, has := e.joint.PlaceOf(service.Key, b.ID)
		if !has {
			continue // the engine doesn't have it
		}
		var entry engine.BackendEntry
		if err := e.joint.Maps[engine.TcxMapBackends].Lookup(uint32(at.Slot), &entry); err != nil {
			return fmt.Errorf("read backend %s of %s: %w", b.ID, service.Key, err)
		}
		key := targetKey(service.Key, b)
		target := program.EntryEntryTarget{Incarnation: at.Incarnation, Slot: at.Slot}
		if entry.Flags&engine.BackendTakes != 0 {
			target.Takes = 1
		}
		if service.Delivery.KeepsPacket() {
			target.Direct = 1
		}
		targets[key] = target
	}
	return nil
}
