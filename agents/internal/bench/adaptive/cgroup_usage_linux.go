package adaptive

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// usedIn is the CPU time that all processes of a cgroup have used: of version 1, in the hierarchy of cpuacct, or of
// version 2.
func usedIn(folder string) (time.Duration, error) {
	text, err := os.ReadFile(filepath.Join(folder, "cpuacct.usage"))
	if err == nil {
		return parseUsed(string(text), time.Nanosecond)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	stat, err := os.ReadFile(filepath.Join(folder, "cpu.stat"))
	if err != nil {
		return 0, fmt.Errorf("read the CPU time of a cgroup: %w", err)
	}
	for line := range strings.Lines(string(stat)) {
		if value, found := strings.CutPrefix(line, "usage_usec "); found {
			return parseUsed(value, time.Microsecond)
		}
	}
	return 0, fmt.Errorf("cpu.stat of %s has no usage_usec", folder)
}

func parseUsed(text string, unit time.Duration) (time.Duration, error) {
	count, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("read the CPU time of a cgroup: %w", err)
	}
	return time.Duration(count) * unit, nil
}
