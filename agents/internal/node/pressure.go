package node

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
)

// parsePressure reads the files of /proc/pressure.
func parsePressure(cpu, memory, io []byte) (*Pressure, error) {
	var pressure Pressure
	var err, err2, err3 error
	pressure.CPU, err = parseStalls("cpu", cpu)
	pressure.Memory, err2 = parseStalls("memory", memory)
	pressure.IO, err3 = parseStalls("io", io)
	if err := errors.Join(err, err2, err3); err != nil {
		return nil, err
	}
	return &pressure, nil
}

// parseStalls reads the totals of "some avg10=0.00 avg60=0.00 avg300=0.00 total=0" and of the same
// line with "full", which Linux before 5.13 doesn't have for the CPU.
func parseStalls(name string, text []byte) (stalls Stalls, err error) {
	found := false
	for line := range bytes.Lines(text) {
		kind, rest, _ := bytes.Cut(line, []byte(" "))
		_, total, _ := bytes.Cut(rest, []byte("total="))
		var into *uint64
		switch string(kind) {
		case "some":
			into, found = &stalls.Some, true
		case "full":
			into = &stalls.Full
		default:
			continue // of a later kernel
		}
		if *into, err = strconv.ParseUint(string(bytes.TrimSpace(total)), 10, 64); err != nil {
			return Stalls{}, fmt.Errorf("/proc/pressure/%s: %w", name, err)
		}
	}
	if !found {
		return Stalls{}, fmt.Errorf("/proc/pressure/%s: %w", name, errFormat)
	}
	return stalls, nil
}
