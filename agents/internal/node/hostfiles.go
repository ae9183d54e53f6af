package node

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

// parseOSRelease returns the display name of the system.
func parseOSRelease(text []byte) string {
	for line := range bytes.Lines(text) {
		value, found := bytes.CutPrefix(bytes.TrimSpace(line), []byte("PRETTY_NAME="))
		if found {
			return strings.Trim(string(value), `"'`)
		}
	}
	return "Linux"
}

// parseCPUModel returns the first CPU's model, or "" on machines (arm64) whose kernel doesn't
// report it.
func parseCPUModel(cpuinfo []byte) string {
	for line := range bytes.Lines(cpuinfo) {
		key, value, found := bytes.Cut(line, []byte(":"))
		if found && string(bytes.TrimSpace(key)) == "model name" {
			return string(bytes.TrimSpace(value))
		}
	}
	return ""
}

// parseCPUCount counts the host's CPUs in /proc/stat; the process may be restricted to fewer.
func parseCPUCount(stat []byte) uint32 {
	var count uint32
	for line := range bytes.Lines(stat) {
		if len(line) > 3 && bytes.HasPrefix(line, []byte("cpu")) && line[3] >= '0' && line[3] <= '9' {
			count++
		}
	}
	return count
}

// parseBootTime reads the line "btime" of /proc/stat.
func parseBootTime(stat []byte) time.Time {
	for line := range bytes.Lines(stat) {
		rest, found := bytes.CutPrefix(line, []byte("btime "))
		if !found {
			continue
		}
		seconds, err := strconv.ParseInt(string(bytes.TrimSpace(rest)), 10, 64)
		if err == nil {
			return time.Unix(seconds, 0)
		}
	}
	return time.Unix(0, 0)
}
