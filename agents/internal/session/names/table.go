package names

import (
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
	table := map[Name][]string{}
	for at, servers := range m.servers(time.Now()) {
		if at.group == group {
			slices.Sort(servers)
			table[at.name] = servers
		}
	}
	return table
}

// servers returns the servers of each valid name. The lock is held.
func (m *Monitor) servers(now time.Time) map[named][]string {
	found := map[named][]string{}
	for key, w := range m.watched {
		for _, known := range w.record.Known {
			at := named{key.group, known.Name}
			if known.valid(now, w.lifetime) && !slices.Contains(found[at], key.id) {
				found[at] = append(found[at], key.id)
			}
		}
	}
	return found
}

// reportShared reports each name once when a second server uses it. The lock is held.
func (m *Monitor) reportShared(now time.Time) {
	shared := map[named]bool{}
	for at, servers := range m.servers(now) {
		if len(servers) == 1 {
			continue
		}
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
	m.shared = shared
}
