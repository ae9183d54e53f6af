package cpulimit

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// parseStat reads cpu.stat: version 2 has throttled_usec, version 1 throttled_time in nanoseconds.
func parseStat(text []byte) (usage Usage, err error) {
	for line := range bytes.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		var into *uint64
		var lost uint64
		unit := time.Duration(0)
		switch name {
		case "nr_periods":
			into = &usage.Periods
		case "nr_throttled":
			into = &usage.Throttled
		case "throttled_usec":
			into, unit = &lost, time.Microsecond
		case "throttled_time":
			into, unit = &lost, time.Nanosecond
		default:
			continue
		}
		if *into, err = strconv.ParseUint(value, 10, 64); err != nil {
			return Usage{}, fmt.Errorf("cpu.stat: %w", err)
		}
		if unit != 0 {
			usage.Lost = time.Duration(lost) * unit
		}
	}
	return usage, nil
}

// parseMax reads "max 100000" or "50000 100000".
func parseMax(text []byte) (cores float64, period time.Duration, err error) {
	quota, length, found := strings.Cut(strings.TrimSpace(string(text)), " ")
	if !found {
		return 0, 0, fmt.Errorf("cpu.max: %q isn't a quota and a period", text)
	}
	if quota == "max" {
		return 0, 0, nil
	}
	return parseQuota([]byte(quota), []byte(length))
}

// parseQuota returns how many cores a quota is; 0 for -1, which means none. Both are in microseconds.
func parseQuota(quota, length []byte) (cores float64, period time.Duration, err error) {
	of, err := strconv.ParseInt(string(bytes.TrimSpace(quota)), 10, 64)
	if err != nil {
		return 0, 0, fmt.Errorf("CPU quota: %w", err)
	}
	in, err := strconv.ParseInt(string(bytes.TrimSpace(length)), 10, 64)
	if err != nil {
		return 0, 0, fmt.Errorf("CPU period: %w", err)
	}
	if of < 0 {
		return 0, 0, nil
	}
	if of == 0 || in <= 0 {
		return 0, 0, fmt.Errorf("a CPU quota of %d in %d µs", of, in)
	}
	return float64(of) / float64(in), time.Duration(in) * time.Microsecond, nil
}

// parseList counts the CPUs in a list such as "0-3,8".
func parseList(text []byte) (count int, err error) {
	list := strings.TrimSpace(string(text))
	if list == "" {
		return 0, nil
	}
	for part := range strings.SplitSeq(list, ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		first, err := strconv.ParseUint(from, 10, 16)
		if err != nil {
			return 0, fmt.Errorf("list of CPUs %q: %w", list, err)
		}
		last, err := strconv.ParseUint(to, 10, 16)
		if err != nil || last < first {
			return 0, fmt.Errorf("list of CPUs %q: %q is no range", list, part)
		}
		count += int(last-first) + 1
	}
	return count, nil
}
