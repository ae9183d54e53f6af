package adaptive

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// cgroups are those of a node. Its agent's programs are attached to hooks; clients and servers are in it. A server and
// its neighbour share the CPU time of limit.
type cgroups struct {
	hooks string // of version 2
	limit string // has the CPU quota
	made  []string
	isOne bool // limit is of version 1
}

// Parts of a node in its cgroups.
const (
	clientsPart   = "clients"
	limitedPart   = "limited"
	serverPart    = "server"
	neighbourPart = "neighbour"
)

// sharesOf divide the CPU time if both want more than there is: the neighbour gets ¾.
var sharesOf = map[string]int{serverPart: 256, neighbourPart: 768}

func newCgroups(m *mounts, name string) (c *cgroups, err error) {
	name = fmt.Sprintf("fairlead-bench-%d-%s", os.Getpid(), name)
	c = &cgroups{hooks: filepath.Join(m.cgroup(), name), isOne: m.cpu != ""}
	limited := filepath.Join(c.hooks, limitedPart)
	c.limit = limited
	folders := []string{c.hooks, filepath.Join(c.hooks, clientsPart), limited, filepath.Join(limited, serverPart), filepath.Join(limited, neighbourPart)}
	if c.isOne {
		c.limit = filepath.Join(m.cpu, name)
		folders = append(folders, c.limit, filepath.Join(c.limit, serverPart), filepath.Join(c.limit, neighbourPart))
	}
	for _, folder := range folders {
		if err := os.Mkdir(folder, 0o755); err != nil {
			return c, fmt.Errorf("create a cgroup: %w", err)
		}
		c.made = append(c.made, folder)
	}
	if !c.isOne {
		for _, folder := range []string{m.cgroup(), c.hooks, limited} {
			if err := write(folder, "cgroup.subtree_control", "+cpu"); err != nil {
				return c, err
			}
		}
		// In version 2, a thread's priority only counts within its cgroup.
		for _, folder := range []string{c.hooks, filepath.Join(c.hooks, clientsPart)} {
			if err := write(folder, "cpu.weight.nice", strconv.Itoa(highestPriority)); err != nil {
				return c, err
			}
		}
	}
	return c, errors.Join(c.setQuota(), c.setShares(serverPart), c.setShares(neighbourPart))
}

func (c *cgroups) setQuota() error {
	if !c.isOne {
		return write(c.limit, "cpu.max", fmt.Sprintf("%d %d", quota.Microseconds(), quotaPeriod.Microseconds()))
	}
	return errors.Join(
		write(c.limit, "cpu.cfs_period_us", strconv.FormatInt(quotaPeriod.Microseconds(), 10)),
		write(c.limit, "cpu.cfs_quota_us", strconv.FormatInt(quota.Microseconds(), 10)))
}

func (c *cgroups) setShares(part string) error {
	if !c.isOne {
		return write(filepath.Join(c.limit, part), "cpu.weight", strconv.Itoa(sharesOf[part]))
	}
	return write(filepath.Join(c.limit, part), "cpu.shares", strconv.Itoa(sharesOf[part]))
}

// of returns the folders that a part of the node has to join.
func (c *cgroups) of(part string) []string {
	if part == clientsPart {
		return []string{filepath.Join(c.hooks, clientsPart)}
	}
	folders := []string{filepath.Join(c.hooks, limitedPart, part)}
	if c.isOne {
		folders = append(folders, filepath.Join(c.limit, part))
	}
	return folders
}

// join moves this process into cgroups.
func join(folders []string) error {
	for _, folder := range folders {
		if err := write(folder, "cgroup.procs", strconv.Itoa(os.Getpid())); err != nil {
			return err
		}
	}
	return nil
}

func write(folder, file, text string) error {
	if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0); err != nil {
		return fmt.Errorf("configure a cgroup: %w", err)
	}
	return nil
}

// Close removes the cgroups. Processes that were killed leave them shortly after.
func (c *cgroups) Close() error {
	var errs []error
	for i := len(c.made) - 1; i >= 0; i-- {
		err := unix.Rmdir(c.made[i])
		for end := time.Now().Add(patience); errors.Is(err, unix.EBUSY) && time.Now().Before(end); err = unix.Rmdir(c.made[i]) {
			time.Sleep(time.Millisecond)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

const patience = 10 * time.Second // for what takes milliseconds
