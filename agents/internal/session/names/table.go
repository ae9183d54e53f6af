package names

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// named is a name in a group of servers.
type named struct {
	group string
	name  Name
}

// Table returns the servers of each valid name in a group. A name that several servers use doesn't
// identify one.
func (m *Monitor) Table(group string) map[Name][]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	table := m.servers(group, time.Now())
	for _, servers := range table {
		slices.Sort(servers)
	}
	return table
}

// servers returns the servers of each valid name in a group. The lock is held.
func (m *Monitor) servers(group string, now time.Time) map[Name][]string {
	found := map[Name][]string{}
	for key, w := range m.watched {
		if key.group != group {
			continue
		}
		for _, known := range w.record.Known {
			if known.valid(now, w.lifetime) && !slices.Contains(found[known.Name], key.id) {
				found[known.Name] = append(found[known.Name], key.id)
			}
		}
	}
	return found
}

// reportShared reports each name once when a second server of a group uses it. The lock is held.
func (m *Monitor) reportShared(group string, now time.Time) {
	shared := map[named]bool{}
	for name, servers := range m.servers(group, now) {
		if len(servers) == 1 {
			continue
		}
		at := named{group, name}
		shared[at] = true
		if m.shared[at] {
			continue
		}
		slices.Sort(servers)
		m.report(Event{
			Group: at.group, Server: servers[0], Change: Shared, Warning: true,
			Message: "uses the same ticket key as " + strings.Join(servers[1:], ", ") + " (name " + at.name.String() +
				"): their clients can't return by ticket name; use a key with its own name on each server",
		})
	}
	maps.DeleteFunc(m.shared, func(at named, _ bool) bool { return at.group == group })
	maps.Copy(m.shared, shared)
}
