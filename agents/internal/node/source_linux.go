package node

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

type procSource struct {
	root string
}

// NewSource returns the host's own counters.
func NewSource() Source { return procSource{"/proc"} }

// Read implements [Source]. Network counters come from self/net, the agent's network namespace.
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
	return errors.Join(err, err2, err3, err5)
}

func (s procSource) file(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(s.root, name))
}
