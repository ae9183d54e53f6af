package lab

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"fairlead.dev/agents/internal/lab/topology"
	"fairlead.dev/agents/internal/netspace"
)

// Change is a fault or another request to a running lab.
type Change struct {
	Verb      string   `json:"verb"`
	Arguments []string `json:"arguments"`
}

// Changes is the usage text: all verbs with their arguments.
const Changes = `cut LINK              cut the cable of a node, reflector, pod, balancer or client
restore LINK          reconnect it
delay LINK TIME LOSS  change a cable with delay or loss, "delay client 20ms 1%"
freeze POD            stop its process with SIGSTOP
thaw POD              continue it
kill POD              kill its process; it restarts after the topology's restart time
drain NODE            send nothing new to its pods and balancers
undrain NODE          end the drain
add pod GROUP [NODE]  add one; by default on the node with the fewest pods
add balancer [NODE]
remove pod NAME       it keeps its connections for the drain time of its services
remove balancer NAME`

// change applies it and returns a sentence for the user.
func (l *Lab) change(ctx context.Context, c Change) (string, error) {
	arguments := c.Arguments
	verb := c.Verb
	if (verb == "add" || verb == "remove") && len(arguments) > 0 {
		verb, arguments = verb+" "+arguments[0], arguments[1:]
	}
	for _, known := range []struct {
		verb        string
		least, most int
		do          func(...string) (string, error)
	}{
		{"cut", 1, 1, func(a ...string) (string, error) { return l.plug(a[0], false) }},
		{"restore", 1, 1, func(a ...string) (string, error) { return l.plug(a[0], true) }},
		{"delay", 2, 3, l.setDelay},
		{"freeze", 1, 1, func(a ...string) (string, error) {
			return l.signal(a[0], "is frozen", func(p *process) error { return p.freeze(ctx) })
		}},
		{"thaw", 1, 1, func(a ...string) (string, error) { return l.signal(a[0], "continues", (*process).thaw) }},
		{"kill", 1, 1, func(a ...string) (string, error) { return l.signal(a[0], "is killed", (*process).kill) }},
		{"drain", 1, 1, func(a ...string) (string, error) { return l.drain(a[0], true) }},
		{"undrain", 1, 1, func(a ...string) (string, error) { return l.drain(a[0], false) }},
		{"add pod", 1, 2, l.addPodToGroup},
		{"add balancer", 0, 1, func(a ...string) (string, error) { return l.addBalancer(ctx, a...) }},
		{"remove pod", 1, 1, func(a ...string) (string, error) { return l.removePod(a[0]) }},
		{"remove balancer", 1, 1, func(a ...string) (string, error) { return l.removeBalancer(a[0]) }},
	} {
		if known.verb != verb {
			continue
		}
		if len(arguments) < known.least || len(arguments) > known.most {
			return "", fmt.Errorf("%q takes other arguments:\n%s", verb, Changes)
		}
		return known.do(arguments...)
	}
	return "", fmt.Errorf("there is no fault %q:\n%s", verb, Changes)
}

// find returns a member of one of the given kinds.
func (l *Lab) find(name string, kinds ...kind) (*member, error) {
	if m := l.members[name]; m != nil && slices.Contains(kinds, m.kind) {
		return m, nil
	}
	var words, names []string
	for _, k := range kinds {
		words = append(words, string(k))
	}
	for _, other := range l.order {
		if slices.Contains(kinds, l.members[other].kind) {
			names = append(names, other)
		}
	}
	return nil, fmt.Errorf("there is no %s %q: name one of %s", strings.Join(words, " or "), name, strings.Join(names, ", "))
}

// plug sets the upper end of a cable down or up. The lower end loses its carrier, as with a cut cable, and
// keeps its addresses.
func (l *Lab) plug(name string, in bool) (string, error) {
	m, err := l.find(name, node, reflector, balancer, pod, client)
	if err != nil {
		return "", err
	}
	if m.shares {
		return "", fmt.Errorf("%s is a process of %s and has its cable: name that", m.name, m.node)
	}
	move, state := (*netspace.Space).Down, "is cut off"
	if in {
		move, state = (*netspace.Space).Up, "is connected"
	}
	if err := move(m.upper, m.port); err != nil {
		return "", err
	}
	m.cut = !in
	return name + " " + state, nil
}

func (l *Lab) setDelay(arguments ...string) (string, error) {
	m, err := l.find(arguments[0], node, reflector, client)
	if err != nil {
		return "", err
	}
	if m.line == nil {
		return "", fmt.Errorf("the cable of %s has no length: give it a delay or loss in the topology, and up again", m.name)
	}
	link := topology.Link{}
	if link.Delay, err = time.ParseDuration(arguments[1]); err != nil || link.Delay < 0 || link.Delay > topology.MostDelay {
		return "", fmt.Errorf("%q is no delay: write one from 0ms to %s", arguments[1], topology.MostDelay)
	}
	if len(arguments) == 3 {
		percent, err := strconv.ParseFloat(strings.TrimSuffix(arguments[2], "%"), 64)
		if err != nil || !(percent >= 0 && percent <= 100) || !strings.HasSuffix(arguments[2], "%") {
			return "", fmt.Errorf("%q is no loss: write one from 0%% to 100%%", arguments[2])
		}
		link.Loss = percent / 100
	}
	m.line.Set(link.Delay, link.Loss)
	return fmt.Sprintf("%s is %s away and loses %g%%", m.name, link.Delay, link.Loss*100), nil
}

func (l *Lab) signal(name, result string, how func(*process) error) (string, error) {
	m, err := l.find(name, router, node, reflector, balancer, speaker, backend, adaptive, pod, client)
	if err != nil {
		return "", err
	}
	if m.process == nil {
		return "", fmt.Errorf("nothing runs in %s: name a pod, a balancer or a client", name)
	}
	if err := how(m.process); err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return name + " " + result, nil
}

func (l *Lab) drain(name string, away bool) (string, error) {
	on, err := l.find(name, node)
	if err != nil {
		return "", err
	}
	on.drained = away
	now, count := time.Now(), 0
	for _, m := range l.members {
		if m.node != name || m.leaving || m.shares {
			continue
		}
		count++
		if m.kind == pod && away {
			l.pods.leave(m.name, now)
		} else if m.kind == pod {
			l.pods.stay(m.name, now)
		}
	}
	l.publish(now)
	err = l.updateRoutes()
	if away {
		return fmt.Sprintf("%s drains: %d pods take nothing new", name, count), err
	}
	return fmt.Sprintf("%s is back with %d pods", name, count), err
}
