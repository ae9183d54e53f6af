package cpulimit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Cgroup is where a cgroup's files are. In version 2 both folders are the same.
type Cgroup struct {
	CPU    string // has cpu.stat, and cpu.max or cpu.cfs_quota_us
	CPUSet string // has the CPUs that it may run on; empty: any
	Root   string // the limits of all cgroups between it and this folder apply too; empty: only its own

	// Online is the file of the host's CPUs: /sys/devices/system/cpu/online.
	Online string
}

// Usage is what a cgroup may use, and what it lacked since it was created.
type Usage struct {
	Cores      float64       // it may use
	Processors float64       // it may run on at once, until it reaches its limit
	Period     time.Duration // of that limit; 0: none is below what it may run on
	Periods    uint64        // in which it had a limit
	Throttled  uint64        // of them, in which it wanted more
	Lost       time.Duration // for which its processes had to wait, all CPUs together
}

// Read reads the usage of a cgroup. Without a limit it may use all CPUs.
func (c Cgroup) Read() (Usage, error) {
	usage, err := c.read()
	if err != nil {
		return Usage{}, fmt.Errorf("read the CPU limit of cgroup %s: %w", c.CPU, err)
	}
	return usage, nil
}

func (c Cgroup) read() (Usage, error) {
	usage, err := c.throttling()
	if err != nil {
		return Usage{}, err
	}
	if usage.Processors, err = c.cpus(); err != nil {
		return Usage{}, err
	}
	usage.Cores = usage.Processors
	for _, folder := range c.upwards() {
		quota, period, err := quotaOf(folder)
		if err != nil {
			return Usage{}, err
		}
		if quota > 0 && quota < usage.Cores {
			usage.Cores, usage.Period = quota, period
		}
	}
	return usage, nil
}

// Version is that of the file system of cgroups: 1 or 2.
func (c Cgroup) Version() int {
	if _, err := os.Stat(filepath.Join(c.CPU, "cgroup.controllers")); err == nil {
		return 2
	}
	return 1
}

// upwards returns the cgroup and those that it is in.
func (c Cgroup) upwards() []string {
	folders := []string{c.CPU}
	within, err := filepath.Rel(c.Root, c.CPU)
	if c.Root == "" || err != nil || !filepath.IsLocal(within) {
		return folders
	}
	for at := filepath.Clean(c.CPU); at != filepath.Clean(c.Root); {
		at = filepath.Dir(at)
		folders = append(folders, at)
	}
	return folders
}

// throttling is none where the cpu controller is off.
func (c Cgroup) throttling() (Usage, error) {
	text, err := os.ReadFile(filepath.Join(c.CPU, "cpu.stat"))
	if errors.Is(err, fs.ErrNotExist) {
		return Usage{}, nil
	}
	if err != nil {
		return Usage{}, err
	}
	return parseStat(text)
}

// quotaOf is 0 without a limit.
func quotaOf(folder string) (cores float64, period time.Duration, err error) {
	text, err := os.ReadFile(filepath.Join(folder, "cpu.max"))
	if err == nil {
		return parseMax(text)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return 0, 0, err
	}
	quota, err := os.ReadFile(filepath.Join(folder, "cpu.cfs_quota_us"))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, 0, nil // of the root, or without the controller
	}
	length, err2 := os.ReadFile(filepath.Join(folder, "cpu.cfs_period_us"))
	if err := errors.Join(err, err2); err != nil {
		return 0, 0, err
	}
	return parseQuota(quota, length)
}

// cpus counts the CPUs that the cgroup may run on.
func (c Cgroup) cpus() (float64, error) {
	if c.CPUSet != "" {
		for _, name := range []string{"cpuset.cpus.effective", "cpuset.effective_cpus", "cpuset.cpus"} {
			text, err := os.ReadFile(filepath.Join(c.CPUSet, name))
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return 0, err
			}
			if n, err := parseList(text); err != nil || n > 0 {
				return float64(n), err
			}
		}
	}
	text, err := os.ReadFile(c.Online)
	if err != nil {
		return 0, err
	}
	n, err := parseList(text)
	if err == nil && n == 0 {
		err = fmt.Errorf("%s has no CPU", c.Online)
	}
	return float64(n), err
}
