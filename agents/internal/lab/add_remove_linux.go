package lab

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"fairlead.dev/agents/internal/lab/topology"
)

// balancerLinger is how long a removed balancer keeps running after the router sends it nothing new, for
// packets in flight.
const balancerLinger = time.Second

// nodeForNew returns the named node, or the one with the fewest pods that isn't drained.
func (l *Lab) nodeForNew(spec []string) (string, error) {
	if len(spec) == 1 {
		m, err := l.find(spec[0], node)
		if err != nil {
			return "", err
		}
		return m.name, nil
	}
	best, fewest := "", 0
	for _, name := range l.order {
		on, count := l.members[name], 0
		if on.kind != node || on.drained {
			continue
		}
		for _, m := range l.members {
			if m.node == name && !m.shares {
				count++
			}
		}
		if best == "" || count < fewest {
			best, fewest = name, count
		}
	}
	if best == "" {
		return "", errors.New("every node is drained: undrain one, or name one")
	}
	return best, nil
}

// freeName returns the next free number of a group.
func (l *Lab) freeName(group string) string {
	for number := 1; ; number++ {
		name := fmt.Sprintf("%s-%d", group, number)
		if l.members[name] == nil {
			return name
		}
	}
}

func (l *Lab) addPodToGroup(arguments ...string) (string, error) {
	group := arguments[0]
	if !slices.ContainsFunc(l.topology.Services, func(s topology.Service) bool { return s.Group == group }) {
		return "", fmt.Errorf("no service has pods %q: name a group that one has", group)
	}
	on, err := l.nodeForNew(arguments[1:])
	if err != nil {
		return "", err
	}
	p := topology.Pod{Member: topology.Member{Name: l.freeName(group), Node: on}, Group: group, Weight: 1}
	for _, like := range l.topology.Pods {
		if like.Group == group {
			p.Weight = like.Weight
		}
	}
	now := time.Now()
	if err := l.addPod(p, now); err != nil {
		return "", errors.Join(err, l.abandon(p.Name))
	}
	l.publish(now)
	return fmt.Sprintf("added %s on %s", p.Name, on), nil
}

func (l *Lab) addBalancer(ctx context.Context, arguments ...string) (string, error) {
	on, err := l.nodeForNew(arguments)
	if err != nil {
		return "", err
	}
	b := topology.Member{Name: l.freeName("lb"), Node: on}
	m, err := l.makeBalancer(b)
	if err == nil {
		err = l.startBalancer(ctx, m)
	}
	if err != nil {
		return "", errors.Join(err, l.abandon(b.Name))
	}
	l.publish(time.Now()) // the other balancers have one peer more
	return fmt.Sprintf("added %s on %s", b.Name, on), nil
}

// abandon removes what was created for a member that couldn't be completed.
func (l *Lab) abandon(name string) error {
	m := l.members[name]
	if m == nil {
		return nil
	}
	if m.process != nil {
		m.process.stop()
		_ = m.process.kill() // it may not be running
	}
	return l.dismantle(m)
}

func (l *Lab) removePod(name string) (string, error) {
	m, err := l.find(name, pod)
	if err != nil {
		return "", err
	}
	now := time.Now()
	m.leaving = true
	l.pods.leave(name, now)
	l.publish(now)
	return fmt.Sprintf("%s drains: it keeps its connections for %s and is then removed", name, l.pods.longest(name)), nil
}

func (l *Lab) removeBalancer(name string) (string, error) {
	m, err := l.find(name, balancer)
	if err != nil {
		return "", err
	}
	m.leaving, m.removeAt = true, time.Now().Add(balancerLinger)
	if s := l.members[speakerOf(name)]; s != nil {
		s.leaving = true
		s.process.stop() // it drains, and ends before the balancer
		return fmt.Sprintf("%s is now the last resort, and is removed when its connections have ended", name), nil
	}
	return fmt.Sprintf("%s is removed: the router no longer sends to it", name), l.updateRoutes()
}

// finishLeaving advances a member that is being removed: its time passes, its process ends, its namespace is
// removed.
func (l *Lab) finishLeaving(m *member, now time.Time) {
	if m.kind == speaker && m.leaving && m.process.command == nil {
		if balancer := l.members[m.beside]; balancer != nil {
			balancer.removeAt = now.Add(balancerLinger)
		}
		if err := l.dismantle(m); err != nil {
			l.options.Log.Error("something of a member is left", "member", m.name, "err", err)
		}
		return
	}
	over := m.kind == pod && l.pods.gone(m.name, now) || m.kind == balancer && !now.Before(m.removeAt)
	if !m.leaving || !over || l.members[speakerOf(m.name)] != nil {
		return
	}
	if m.kind == balancer && !m.parted {
		m.parted = true
		l.publish(now)
	}
	if p := m.process; p != nil && p.command != nil {
		if !p.stopping {
			p.stop()
			m.killAt = now.Add(stopGrace)
		} else if now.After(m.killAt) {
			_ = p.kill() // it may be ending right now
		}
		return
	}
	l.pods.remove(m.name)
	if err := l.dismantle(m); err != nil {
		l.options.Log.Error("something of a member is left", "member", m.name, "err", err)
	}
	l.publish(now)
}
