package node

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
)

// interfacesMost limits the interfaces of one report. Hosts with more have e.g. one veth per pod,
// which should be excluded. With eight series each they fit into one report with the others.
const interfacesMost = 240

var errFormat = errors.New("unexpected format")

// parseStat reads the line of all CPUs in /proc/stat. Guest time is part of
// user time there, so it is not added again.
func parseStat(text []byte) (CPUTimes, error) {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	fields := bytes.Fields(line)
	if len(fields) < 5 || string(fields[0]) != "cpu" {
		return CPUTimes{}, fmt.Errorf("/proc/stat: %w", errFormat)
	}
	var ticks [8]uint64 // user nice system idle iowait irq softirq steal
	for i := range min(len(ticks), len(fields)-1) {
		value, err := strconv.ParseUint(string(fields[i+1]), 10, 64)
		if err != nil {
			return CPUTimes{}, fmt.Errorf("/proc/stat: %w", err)
		}
		ticks[i] = value
	}
	return CPUTimes{
		User: ticks[0] + ticks[1], System: ticks[2] + ticks[5] + ticks[6],
		Idle: ticks[3], Iowait: ticks[4], Steal: ticks[7],
	}, nil
}

// parseMeminfo reads /proc/meminfo, whose figures are in KiB.
func parseMeminfo(text []byte) (Memory, error) {
	total, found := meminfoField(text, "MemTotal:")
	available, alsoFound := meminfoField(text, "MemAvailable:")
	if !found || !alsoFound {
		return Memory{}, fmt.Errorf("/proc/meminfo: %w", errFormat)
	}
	return Memory{Total: total, Available: min(available, total)}, nil
}

func meminfoField(text []byte, name string) (uint64, bool) {
	for line := range bytes.Lines(text) {
		rest, found := bytes.CutPrefix(line, []byte(name))
		if !found {
			continue
		}
		fields := bytes.Fields(rest)
		if len(fields) == 0 {
			return 0, false
		}
		kibibytes, err := strconv.ParseUint(string(fields[0]), 10, 54)
		return kibibytes * 1024, err == nil
	}
	return 0, false
}

// parseLoadavg reads /proc/loadavg.
func parseLoadavg(text []byte) ([3]float64, error) {
	var load [3]float64
	fields := bytes.Fields(text)
	if len(fields) < len(load) {
		return load, fmt.Errorf("/proc/loadavg: %w", errFormat)
	}
	for i := range load {
		value, err := strconv.ParseFloat(string(fields[i]), 64)
		if err != nil {
			return load, fmt.Errorf("/proc/loadavg: %w", err)
		}
		load[i] = value
	}
	return load, nil
}

// parseConnections reads nf_conntrack_count and nf_conntrack_max.
func parseConnections(count, limit []byte) (*Connections, error) {
	tracked, err := strconv.ParseUint(string(bytes.TrimSpace(count)), 10, 64)
	if err != nil {
		return nil, fmt.Errorf("nf_conntrack_count: %w", err)
	}
	most, err := strconv.ParseUint(string(bytes.TrimSpace(limit)), 10, 64)
	if err != nil {
		return nil, fmt.Errorf("nf_conntrack_max: %w", err)
	}
	return &Connections{Tracked: tracked, Limit: most}, nil
}

// parseNetDev reads /proc/net/dev, reusing the given slice. It skips lines that it can't parse.
func parseNetDev(text []byte, into []InterfaceCounters) []InterfaceCounters {
	into = into[:0]
	for line := range bytes.Lines(text) {
		name, rest, found := bytes.Cut(line, []byte(":"))
		fields := bytes.Fields(rest)
		if !found || len(fields) < 12 || len(into) == interfacesMost {
			continue // the two heading lines have no colon
		}
		var values [12]uint64
		var failed error
		for i := range values {
			value, err := strconv.ParseUint(string(fields[i]), 10, 64)
			values[i], failed = value, errors.Join(failed, err)
		}
		if failed != nil {
			continue
		}
		into = append(into, InterfaceCounters{
			// The kernel allows any bytes in a name; the protocol requires text.
			Name:     string(bytes.ToValidUTF8(bytes.TrimSpace(name), []byte("?"))),
			Receive:  Direction{Bytes: values[0], Packets: values[1], Errors: values[2], Drops: values[3]},
			Transmit: Direction{Bytes: values[8], Packets: values[9], Errors: values[10], Drops: values[11]},
		})
	}
	return into
}

// parseStatm reads the resident size from /proc/self/statm.
func parseStatm(text []byte, pageSize int) (uint64, error) {
	fields := bytes.Fields(text)
	if len(fields) < 2 {
		return 0, fmt.Errorf("/proc/self/statm: %w", errFormat)
	}
	pages, err := strconv.ParseUint(string(fields[1]), 10, 48)
	if err != nil {
		return 0, fmt.Errorf("/proc/self/statm: %w", err)
	}
	return pages * uint64(pageSize), nil
}
