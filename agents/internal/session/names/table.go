package names

import (
	"slices"
	"strings"
	"time"
)

// Table returns the server of each valid name. A name that several servers use is left out: it
// doesn't identify one.
func (m *Monitor) Table() map[Name]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	table := map[Name]string{}
	for name, servers := range m.servers(time.Now()) {
		if len(servers) == 1 {
			table[name] = servers[0]
		}
	}
	return table
}

// servers returns the servers of each valid name. The lock is held.
func (m *Monitor) servers(now time.Time) map[Name][]string {
	found := map[Name][]string{}
	for key, w := range m.watched {
		for _, known := range w.record.Known {
			if known.valid(now, m.options.Lifetime) && !slices.Contains(found[known.Name], key.id) {
				found[known.Name] = append(found[known.Name], key.id)
			}
		}
	}
	return found
}

// reportShared reports each name once when a second server uses it. The lock is held.
func (m *Monitor) reportShared(now time.Time) {
	shared := map[Name]bool{}
	for name, servers := range m.servers(now) {
		if len(servers) == 1 {
			continue
		}
		shared[name] = true
		if m.shared[name] {
			continue
		}
		slices.Sort(servers)
		m.report(Event{
			Server: servers[0], Warning: true,
			Message: "uses the same ticket key as " + strings.Join(servers[1:], ", ") + " (name " + name.String() +
				"): their clients can't return by ticket name; use a key with its own name on each server",
		})
	}
	m.shared = shared
}
