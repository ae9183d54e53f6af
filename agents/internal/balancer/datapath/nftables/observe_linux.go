package nftables

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	mdnetlink "github.com/mdlayher/netlink"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// counter is a kernel counter.
type counter struct{ packets, bytes uint64 }

// Observe implements datapath.Engine.
func (e *Engine) Observe(context.Context) (datapath.Observed, error) {
	observed := datapath.Observed{LiveAt: time.Now(), Drops: map[string]uint64{}}
	counters, err := e.counters()
	if err != nil {
		return observed, fmt.Errorf("read counters: %w", err)
	}
	for name, counted := range counters {
		if reason, is := strings.CutPrefix(name, dropCounter("")); is {
			observed.Drops[reason] = counted.packets
		}
	}
	live, warnings, err := e.live()
	if err != nil {
		return observed, fmt.Errorf("count flows: %w", err)
	}
	observed.Warnings = warnings
	for i := range e.carried {
		set := &e.carried[i]
		service := datapath.ServiceCounts{Key: set.Key, Counts: e.retired[set.Key]}
		service.Counts.ToClients.Known = true
		refused, there := counters[refusedCounter(service.Key)]
		service.Drops = map[string]uint64{"no_backend": refused.packets}
		for _, backend := range set.Backends {
			counts, counted := countsOf(set, backend.ID, counters)
			counts.LiveConnections = live[place{serviceNumber(service.Key), number(backend.ID)}]
			there = there && counted
			service.Backends = append(service.Backends, datapath.BackendCounts{ID: backend.ID, Counts: counts})
			service.Counts = sumOf(service.Counts, counts)
		}
		if there {
			observed.Services = append(observed.Services, service)
		}
	}
	return observed, nil
}

// counters reads the counters of both tables.
func (e *Engine) counters() (map[string]counter, error) {
	counters := map[string]counter{}
	for _, t := range []table{e.directTable, e.natTable} {
		err := e.socket.counters(t, "", unix.NLM_F_DUMP, func(name string, one counter) {
			sum := counters[name]
			counters[name] = counter{sum.packets + one.packets, sum.bytes + one.bytes}
		})
		if err != nil && !errors.Is(err, unix.ENOENT) {
			return nil, err
		}
	}
	return counters, nil
}

// counter reads one counter.
func (s *socket) counter(t table, name string) (packets uint64, err error) {
	err = s.counters(t, name, 0, func(_ string, one counter) { packets = one.packets })
	return packets, err
}

func (s *socket) counters(t table, name string, flags uint16, each func(string, counter)) error {
	m := t.message(unix.NFT_MSG_GETOBJ, flags, "read counters", name, func(a *mdnetlink.AttributeEncoder) {
		a.String(unix.NFTA_OBJ_TABLE, t.name)
		if name != "" {
			a.String(unix.NFTA_OBJ_NAME, name)
			a.Uint32(unix.NFTA_OBJ_TYPE, unix.NFT_OBJECT_COUNTER)
		}
	})
	return s.dump(m, func(_ uint16, a *mdnetlink.AttributeDecoder) error {
		var in, name string
		var one counter
		for a.Next() {
			switch a.Type() {
			case unix.NFTA_OBJ_TABLE:
				in = a.String()
			case unix.NFTA_OBJ_NAME:
				name = a.String()
			case unix.NFTA_OBJ_DATA:
				a.Nested(one.decode)
			}
		}
		if in == t.name {
			each(name, one)
		}
		return a.Err()
	})
}

func (c *counter) decode(a *mdnetlink.AttributeDecoder) error {
	for a.Next() {
		switch a.Type() {
		case unix.NFTA_COUNTER_BYTES:
			c.bytes = a.Uint64()
		case unix.NFTA_COUNTER_PACKETS:
			c.packets = a.Uint64()
		}
	}
	return a.Err()
}

// live counts known flows.
func (e *Engine) live() (live map[place]uint64, warnings []string, err error) {
	live = map[place]uint64{}
	for _, f := range families {
		known := 0
		err := e.socket.elements(e.directTable, e.flowMaps(f).known, func(one element) {
			known++
			live[f.placeOf(one)]++
		})
		if err != nil && !errors.Is(err, unix.ENOENT) {
			return nil, nil, err
		}
		if known >= e.options.Connections {
			warnings = append(warnings, fmt.Sprintf("The map of IPv%s flows is full with %d: new ones are not stored and may break when backends change. Give the agent a larger --connections.", f.name, known))
		}
	}
	if e.tables[1] == nil || e.tables[1].live == nil {
		return live, warnings, nil
	}
	byMark := map[uint32]place{}
	for one := range e.countedPlaces() {
		byMark[markOf(one.service, one.backend)] = one
	}
	for _, family := range []netlink.InetFamily{unix.AF_INET, unix.AF_INET6} {
		flows, err := netlink.ConntrackTableList(netlink.ConntrackTable, family)
		if err != nil {
			return nil, nil, err
		}
		for _, flow := range flows {
			if one, ours := byMark[flow.Mark]; ours {
				live[one]++
			}
		}
	}
	return live, warnings, nil
}
