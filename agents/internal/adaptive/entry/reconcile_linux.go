package entry

import (
	"fmt"
	"time"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/lifetime"
	engine "fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/boottime"
)

const (
	// youngMost is how long a connection may be counted before the engine has it.
	youngMost = time.Second

	// unansweredMost is how long a client's SYN may have no answer.
	unansweredMost = 4 * time.Second
)

// Reconcile ends what counts as open although the engine doesn't have it any more, or never got more than its SYN. It
// reads each connection once, so call it only as often as that is a small share of the time.
func (e *Entry) Reconcile() (ended uint64, err error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.reconcile()
}

func (e *Entry) reconcile() (ended uint64, err error) {
	return e.endAll(func(key program.EntryKey, flow program.EntryFlow, now time.Duration) (bool, error) {
		age := now - time.Duration(flow.At)
		if age < youngMost || flow.Unanswered != 0 && age < unansweredMost {
			return false, nil
		}
		is, err := e.isOpen(flowKey(key))
		return err == nil && !is, err
	})
}

// isOpen reports whether the engine has a connection. One that never got more than its SYN is forgotten, so that its
// client's next SYN begins another.
func (e *Entry) isOpen(key engine.FlowKey) (bool, error) {
	flow, has, err := engine.FindFlow(e.joint.Maps, engine.TcxMapConnections, key)
	if err != nil || has {
		return has && lifetime.IsLive(key, flow, engine.SeenNow()), err
	}
	if err := e.joint.Maps[engine.TcxMapHalfOpen].Delete(key); err != nil && !isAbsent(err) {
		return false, fmt.Errorf("forget a connection without an answer: %w", err)
	}
	return false, nil
}

// endAll ends the connections of this replica for which that is wanted.
func (e *Entry) endAll(isWanted func(program.EntryKey, program.EntryFlow, time.Duration) (bool, error)) (ended uint64, err error) {
	if e.costs == nil {
		return 0, nil
	}
	now := boottime.Now()
	over, err := counted(e.costs, e.options.number(), func(key program.EntryKey, flow program.EntryFlow) (bool, error) { return isWanted(key, flow, now) })
	if err != nil {
		return 0, err
	}
	return uint64(len(over)), end(e.collection, over)
}

// counted returns the connections of a replica that count as open, of those that are wanted.
func counted(costs map[string]*ebpf.Map, replica uint32, isWanted func(program.EntryKey, program.EntryFlow) (bool, error)) (all []program.EndedFlow, err error) {
	err = engine.EachBatch(costs[program.EntryMapEntryFlows], func(keys []program.EntryKey, flows []program.EntryFlow) error {
		for i, key := range keys {
			if key.Replica != replica {
				continue
			}
			wanted, err := isWanted(key, flows[i])
			if err != nil {
				return err
			}
			if wanted {
				all = append(all, program.EndedFlow{Key: key, At: flows[i].At})
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the connections that count as open: %w", err)
	}
	return all, nil
}

func end(with *ebpf.Collection, over []program.EndedFlow) error {
	for _, one := range over {
		if _, err := with.Programs[program.EntryProgEndEntryFlow].Run(&ebpf.RunOptions{Context: one}); err != nil {
			return fmt.Errorf("end a connection that counts as open: %w", err)
		}
	}
	return nil
}
