package node

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"fairlead.dev/agents/internal/node/kernel"
)

type procSource struct {
	root string
}

// NewSource returns the host's own counters.
func NewSource() Source { return procSource{"/proc"} }

// Read implements [Source]. Network counters come from self/net and sys/net, which the kernel shows
// for the agent's network namespace.
func (s procSource) Read(counters *Counters) error {
	stat, err := s.file("stat")
	meminfo, err2 := s.file("meminfo")
	loadavg, err3 := s.file("loadavg")
	netDev, err4 := s.file("self/net/dev")
	statm, err5 := s.file("self/statm")
	if err := errors.Join(err, err2, err3, err4, err5); err != nil {
		return fmt.Errorf("read the host's counters: %w", err)
	}

	counters.At = time.Now()
	counters.CPU, err = parseStat(stat)
	counters.Memory, err2 = parseMeminfo(meminfo)
	counters.Load, err3 = parseLoadavg(loadavg)
	counters.Interfaces = parseNetDev(netDev, counters.Interfaces)
	counters.AgentMemoryBytes, err5 = parseStatm(statm, os.Getpagesize())
	var err6 error
	counters.Connections, err6 = s.connections()
	var err7 error
	counters.Pressure, err7 = s.pressure()
	return errors.Join(err, err2, err3, err5, err6, err7)
}

// pressure is nil where the kernel doesn't measure it, and where a container may not read it.
func (s procSource) pressure() (*Pressure, error) {
	cpu, err := s.file("pressure/cpu")
	memory, err2 := s.file("pressure/memory")
	io, err3 := s.file("pressure/io")
	switch err := errors.Join(err, err2, err3); {
	case kernel.LacksPressure(err):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read the pressure: %w", err)
	}
	return parsePressure(cpu, memory, io)
}

// connections is nil without the files, because the kernel module nf_conntrack isn't loaded, and where
// the agent may not read them.
func (s procSource) connections() (*Connections, error) {
	count, err := s.file("sys/net/netfilter/nf_conntrack_count")
	limit, err2 := s.file("sys/net/netfilter/nf_conntrack_max")
	switch err := errors.Join(err, err2); {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read the tracked connections: %w", err)
	}
	return parseConnections(count, limit)
}

func (s procSource) file(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(s.root, name))
}
