package bpf

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/neighbour"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/state"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/walk"
)

// Observe reads the programs' counts. It also solicits link addresses for which there was
// no room before.
func (e *Engine) Observe(ctx context.Context) (datapath.Observed, error) {
	if err := e.solicitEach(e.toSolicit(time.Now()), e.network.Solicit); err != nil && e.hook.AgentResolves {
		return datapath.Observed{}, err
	}
	found := e.walker.Newest(time.Now())
	if found.Err != nil {
		return datapath.Observed{}, found.Err
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	observed := datapath.Observed{LiveAt: found.CountedAt()}
	if err := e.widen(); err != nil {
		return observed, err
	}
	bySlot, err := e.readCounts()
	if err != nil {
		return observed, err
	}
	if err := ctx.Err(); err != nil {
		return observed, err
	}
	for slot, b := range e.model.Slots {
		bySlot[slot].LiveConnections = found.Live[walk.Owner{Slot: slot, Incarnation: b.Entry.Incarnation}]
	}
	own, err := e.readOfBackends()
	if err != nil {
		return observed, err
	}
	for _, s := range e.model.Services {
		counted, err := e.countsOf(s, bySlot, own)
		if err != nil {
			return observed, err
		}
		observed.Services = append(observed.Services, counted)
	}
	if observed.Drops, err = e.readDrops(uint32(program.TcxLimitsNO_SERVICE)); err != nil {
		return observed, err
	}
	observed.Warnings = e.warnings(found.Connections, found.Learnt)
	return observed, nil
}

func (e *Engine) countsOf(s *state.Service, bySlot map[uint16]*datapath.Counts, own map[uint32]*ofBackend) (datapath.ServiceCounts, error) {
	out := datapath.ServiceCounts{Key: s.Key}
	var retired program.Counts
	if err := e.maps[program.TcxMapRetiredCounts].Lookup(s.Entry.Slot, &retired); err != nil {
		return out, fmt.Errorf("read counts of service %s: %w", s.Key, err)
	}
	out.Counts = retired.Read()
	for name, into := range map[string]*datapath.Histogram{
		program.TcxMapSetupTimings: &out.Counts.SetupNanoseconds, program.TcxMapFirstByteTimings: &out.Counts.FirstByteNanoseconds,
	} {
		var perCPU []program.Timings
		if err := e.maps[name].Lookup(s.Entry.Slot, &perCPU); err != nil {
			return out, fmt.Errorf("read timings of service %s: %w", s.Key, err)
		}
		for _, one := range perCPU {
			for i, n := range one.Bucket {
				into[i] += n
			}
		}
	}
	drops, err := e.readDrops(s.Entry.Slot)
	if err != nil {
		return out, err
	}
	out.Drops = drops
	for _, b := range s.Placed {
		c := *bySlot[b.Slot]
		of := own[b.Entry.Incarnation]
		c.SetupNanoseconds, c.FirstByteNanoseconds = of.took[program.TcxTimingSETUP_TIME], of.took[program.TcxTimingFIRST_BYTE_TIME]
		out.Backends = append(out.Backends, datapath.BackendCounts{ID: b.ID, Counts: c, Drops: of.drops})
		out.Counts.Packets += c.Packets
		out.Counts.Bytes += c.Bytes
		out.Counts.ToClients = out.Counts.ToClients.Add(c.ToClients)
		out.Counts.Connections += c.Connections
		out.Counts.LiveConnections += c.LiveConnections
	}
	return out, nil
}

// readDrops sums the drops of a service, or of packets without one, over all CPUs.
func (e *Engine) readDrops(slot uint32) (map[string]uint64, error) {
	var perCPU []program.DropCounts
	if err := e.maps[program.TcxMapDrops].Lookup(slot, &perCPU); err != nil {
		return nil, fmt.Errorf("read drops of slot %d: %w", slot, err)
	}
	sum := make(map[string]uint64, len(program.DropReasons))
	for reason, name := range program.DropReasons {
		for _, one := range perCPU {
			sum[name] += one.Packets[reason]
		}
	}
	return sum, nil
}

// readCounts sums the backends' counters over all CPUs.
func (e *Engine) readCounts() (map[uint16]*datapath.Counts, error) {
	bySlot := make(map[uint16]*datapath.Counts, len(e.model.Slots))
	for slot := range e.model.Slots {
		found, err := e.readCount(uint32(slot))
		if err != nil {
			return nil, err
		}
		read := found.Read()
		bySlot[slot] = &read
	}
	return bySlot, nil
}

func (e *Engine) readCount(slot uint32) (sum program.Counts, err error) {
	var perCPU []program.Counts
	if err := e.maps[program.TcxMapBackendCounts].Lookup(slot, &perCPU); err != nil {
		return sum, fmt.Errorf("read counts of slot %d: %w", slot, err)
	}
	for _, one := range perCPU {
		sum.Add(one)
	}
	return sum, nil
}

func (e *Engine) warnings(connections, learnt int) (out []string) {
	out = append(out, e.attachment.Warnings(len(e.model.Services) > 0)...)
	unresolved := 0
	for _, b := range e.model.Slots {
		if e.hook.AgentResolves && b.Hop != neighbour.NoHop && b.Entry.Flags&program.BackendResolved == 0 {
			unresolved++
		}
	}
	if unresolved > 0 {
		out = append(out, fmt.Sprintf("The link addresses of %d backends are not resolved (ARP, neighbour discovery): packets to them are dropped.", unresolved))
	}
	if tunnels := func(s *state.Service) bool { return program.IsTunnelled(uint8(s.Entry.Delivery)) }; e.deaf != nil && slices.ContainsFunc(e.model.Services, tunnels) {
		out = append(out, fmt.Sprintf("Routers' packet-too-big messages for tunnels are not received, so large packets may be lost: %v.", e.deaf))
	}
	if name := e.tooLong(); name != "" {
		out = append(out, fmt.Sprintf("Interface %s sends packets longer than %d bytes (BIG TCP), and tunnels can't have such packets: uploads may hang. Run `ip link set %s gso_max_size %d gso_ipv4_max_size %d`.", name, longestTunnelled, name, longestTunnelled, longestTunnelled))
	}
	if unsolicited := e.crowded.Load(); unsolicited != nil {
		out = append(out, neighboursFull(*unsolicited))
	}
	for _, s := range e.model.Services {
		if len(s.Service.Backends) > 0 && len(datapath.Fresh(s.Service.Backends)) == 0 {
			out = append(out, fmt.Sprintf("Service %s takes no new connections: none of its backends is up and active or filling.", s.Key))
		} else if len(s.Service.Backends) == 0 {
			out = append(out, fmt.Sprintf("Service %s drops everything: it has no backends.", s.Key))
		}
	}
	if room := int(e.maps[program.TcxMapConnections].MaxEntries()); isFull(connections, room) {
		out = append(out, fmt.Sprintf("The connection table is full: %d of %d. New ones evict the longest idle ones; give the agent a larger --connections.", connections, room))
	}
	if room := int(e.maps[program.TcxMapLearnt].MaxEntries()); isFull(learnt, room) {
		out = append(out, fmt.Sprintf("The table of flows of other replicas is full: %d flows of %d. Those that don't fit break if their replica is lost while backends change; give the agent a larger --connections.", learnt, room))
	}
	return out
}

// isFull is true slightly below the capacity, which is never quite reached.
func isFull(entries, room int) bool { return entries*100 > room*95 }

// retire keeps the counts of removed backends, so that their service's counts don't fall.
func (e *Engine) retire(before, next *state.Model) error {
	for _, s := range before.Services {
		now, stays := next.ByKey[s.Key]
		if !stays {
			continue
		}
		var sum program.Counts
		for _, b := range s.Placed {
			if kept, ok := next.Slots[b.Slot]; ok && kept.Entry.Incarnation == b.Entry.Incarnation {
				continue
			}
			found, err := e.readCount(uint32(b.Slot))
			if err != nil {
				return err
			}
			sum.Add(found)
		}
		if sum == (program.Counts{}) {
			continue
		}
		var retired program.Counts
		err := e.maps[program.TcxMapRetiredCounts].Lookup(now.Entry.Slot, &retired)
		if err == nil {
			retired.Add(sum)
			err = e.maps[program.TcxMapRetiredCounts].Put(now.Entry.Slot, retired)
		}
		if err != nil {
			return fmt.Errorf("keep counts of service %s: %w", s.Key, err)
		}
	}
	return nil
}

func (e *Engine) resetCounts(slot uint32) error {
	if err := e.maps[program.TcxMapBackendCounts].Put(slot, make([]program.Counts, ebpf.MustPossibleCPU())); err != nil {
		return fmt.Errorf("reset counts of slot %d: %w", slot, err)
	}
	return nil
}

// resetService clears the counts for the next service of a slot.
func (e *Engine) resetService(slot uint32) error {
	if err := e.maps[program.TcxMapRetiredCounts].Put(slot, program.Counts{}); err != nil {
		return fmt.Errorf("reset counts of slot %d: %w", slot, err)
	}
	if err := e.maps[program.TcxMapDrops].Put(slot, make([]program.DropCounts, ebpf.MustPossibleCPU())); err != nil {
		return fmt.Errorf("reset drops of slot %d: %w", slot, err)
	}
	for _, name := range []string{program.TcxMapSetupTimings, program.TcxMapFirstByteTimings} {
		err := e.maps[name].Put(slot, make([]program.Timings, ebpf.MustPossibleCPU()))
		if err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
			return fmt.Errorf("reset timings of slot %d: %w", slot, err)
		}
	}
	return nil
}
