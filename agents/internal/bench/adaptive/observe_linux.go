package adaptive

import (
	"errors"
	"time"
)

// observed is what the machine did in the measured time.
type observed struct {
	idleShare float64
	cores     Cores
	err       error
}

func (l *lab) observe(from time.Time, length time.Duration) <-chan observed {
	servers, clients, agents, lines := []int{}, []int{}, []int{}, l.lines.pid()
	for _, n := range l.nodes {
		servers, clients = append(servers, n.server.pid()), append(clients, n.clients.pid())
		if n.outside != nil {
			clients = append(clients, n.outside.clients.pid())
		}
		if n.agent != nil { // a lab may have none
			agents = append(agents, n.agent.pid())
		}
	}
	result := make(chan observed, 1)
	go func() {
		time.Sleep(time.Until(from))
		before, err := readProcessors()
		used := map[int]time.Duration{}
		for _, pid := range append(append(append([]int{lines}, servers...), clients...), agents...) {
			used[pid], _ = cpuOf(pid) // one that was killed is left out below
		}
		time.Sleep(length)
		after, err2 := readProcessors()
		share := func(pids ...int) (cores float64) {
			for _, pid := range pids {
				if now, err := cpuOf(pid); err == nil {
					cores += float64(now-used[pid]) / float64(length)
				}
			}
			return cores
		}
		result <- observed{
			idleShare: after.idleShare(before), err: errors.Join(err, err2),
			cores: Cores{Servers: share(servers...), Clients: share(clients...), Agents: share(agents...), Lines: share(lines)},
		}
	}()
	return result
}
