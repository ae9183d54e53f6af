package bench

import (
	"context"
	"errors"
	"fmt"
	"net/netip"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/bench/peer"
)

// tcx is the only engine that chooses by session.
const tcx = "tcx"

// bySession is the subject that returns clients by their TLS session.
const bySession = tcx + " by session"

const secondReplica = 1 // number of its pod; the other subjects have the next ones

// sessionSubjects are all, in the order of the first round.
func sessionSubjects() ([]subject, error) {
	list := []subject{
		{name: "direct", kind: Direct},
		{name: bySession, kind: Engine},
		{name: tcx + " " + string(datapath.Direct), kind: Engine, start: engine(tcx, datapath.Direct)},
	}
	for _, name := range []string{"haproxy", "haproxy-id", "haproxy-cookie", "nginx-cookie"} {
		kind, err := peer.Find(name)
		if err != nil {
			return nil, err
		}
		list = append(list, peerSubject(kind))
	}
	for i := range list {
		list[i].secured = true
	}
	return list, nil
}

// launchAll starts subjects. One that can't run here is left out.
func (l *sessionLab) launchAll(ctx context.Context, list []subject, print func(SessionLine)) (subjects []*running, err error) {
	for i, s := range list {
		r, err := l.launch(ctx, s, i)
		var refused refusal
		switch {
		case errors.As(err, &refused):
			print(SessionLine{LeftOut: &LeftOut{Subject: s.name, Reason: refused.reason}})
		case err != nil:
			return subjects, fmt.Errorf("start %s: %w", s.name, err)
		default:
			subjects = append(subjects, r)
		}
	}
	return subjects, nil
}

// launch starts a subject, and waits until all servers were reached through it.
func (l *sessionLab) launch(ctx context.Context, s subject, index int) (*running, error) {
	r := &running{subject: s, stop: func() error { return nil }}
	if s.kind == Direct {
		for i := range usualBackends {
			r.targets = append(r.targets, netip.AddrPortFrom(hostAddress(backendHost(i)), securePort))
		}
		return r, nil
	}
	number, name := secondReplica+index, fmt.Sprintf("pod%d", index)
	if s.name == bySession {
		number, name, index = 0, "replica0", sessionService
	}
	var err error
	if r.pod, err = l.addPod(number, name, index); err != nil {
		return nil, err
	}
	if s.port != 0 {
		r.pod.port = s.port
		for i := range r.pod.ends {
			r.pod.ends[i].at = netip.AddrPortFrom(r.pod.ends[i].at.Addr(), s.port)
		}
	}
	r.targets = []netip.AddrPort{netip.AddrPortFrom(r.pod.service, r.pod.port)}
	if s.name == bySession {
		err = l.startReplica(0, r.pod, usual()) // it ends with the lab
	} else {
		if s.peer != nil && s.peer.TLS {
			for i := range r.pod.ends {
				r.pod.ends[i].at = netip.AddrPortFrom(r.pod.ends[i].at.Addr(), servicePort) // plain HTTP, its best case
			}
		}
		var stop func() error
		if stop, err = s.start(ctx, r.pod); err == nil {
			r.stop = stop
		}
	}
	if err != nil {
		return nil, err
	}
	if err := r.awaitAll(ctx, l.client, usualBackends); err != nil {
		return nil, errors.Join(err, r.stop())
	}
	return r, nil
}

// addSecondReplica starts the other replica that chooses by session, which gets no clients yet.
func (l *sessionLab) addSecondReplica() error {
	p, err := l.addPod(secondReplica, "replica1", sessionService)
	if err != nil {
		return err
	}
	return errors.Join(l.startReplica(1, p, usual()), l.routeTo(sessionService, l.replicas[0].pod.host))
}
