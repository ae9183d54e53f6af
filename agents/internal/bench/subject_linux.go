package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strings"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/bench/peer"
	"fairlead.dev/agents/internal/netspace"
)

// subject is one path from the client to the backends.
type subject struct {
	name      string
	kind      Kind
	workloads []Workload
	peer      *peer.Kind // nil for our own
	secured   bool       // its backends end TLS
	port      uint16     // of its service by session, if not that of HTTPS

	// start starts the service in a pod, and returns a function that stops it. A refusal means that an engine
	// can't run here.
	start func(context.Context, *pod) (stop func() error, err error)
}

// refusal is why an engine can't be measured here.
type refusal struct{ reason string }

func (r refusal) Error() string { return r.reason }

// pod is a subject's pod; each subject has its own service address.
type pod struct {
	network *network
	space   *netspace.Space
	host    byte
	end     string // of its cable, at the switch
	service netip.Addr
	port    uint16
	ends    []backendEnd
	folder  string
}

// backendEnd is where a balancer reaches a backend.
type backendEnd struct {
	name string
	at   netip.AddrPort
}

// running is a subject that carries traffic.
type running struct {
	subject
	targets []netip.AddrPort
	pod     *pod // nil without a balancer
	stop    func() error
}

// all are the subjects, in the order of the first round.
func all(candidates []datapath.Candidate) []subject {
	list := append([]subject{{name: "direct", kind: Direct, workloads: Workloads}}, hops...)
	for _, candidate := range candidates {
		for _, delivery := range candidate.Deliveries {
			if delivery.Wraps() {
				continue // needs backends on another network: nothing here to compare it with
			}
			name := candidate.Name + " " + string(delivery)
			list = append(list, subject{name: name, kind: Engine, workloads: Workloads, start: engine(candidate.Name, delivery)})
		}
	}
	for _, kind := range peer.Kinds {
		list = append(list, peerSubject(kind))
	}
	return list
}

// pick returns the named subjects, and `direct`, the baseline.
func pick(list []subject, names []string) ([]subject, error) {
	if len(names) == 0 {
		return list, nil
	}
	var known []string
	for _, s := range list {
		known = append(known, s.name)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("there is no subject %q; give some of: %s", name, strings.Join(known, ", "))
		}
	}
	return slices.DeleteFunc(list, func(s subject) bool { return s.kind != Direct && !slices.Contains(names, s.name) }), nil
}

// launch creates a subject's pod, starts it and waits until both backends were reached through it.
func launch(ctx context.Context, n *network, s subject, index int, folder string) (*running, error) {
	r := &running{subject: s, stop: func() error { return nil }}
	if s.kind == Direct {
		for _, backend := range backends {
			r.targets = append(r.targets, netip.AddrPortFrom(hostAddress(backend.host), servicePort))
		}
		return r, nil
	}
	host := byte(firstPod + index)
	name := fmt.Sprintf("pod%d", index)
	space, err := n.host(name, host)
	if err != nil {
		return nil, err
	}
	r.pod = &pod{network: n, space: space, host: host, end: name, service: serviceAddress(index), port: servicePort, folder: folder}
	for _, backend := range backends {
		r.pod.ends = append(r.pod.ends, backendEnd{backend.name, netip.AddrPortFrom(hostAddress(backend.host), servicePort)})
	}
	r.targets = []netip.AddrPort{netip.AddrPortFrom(r.pod.service, servicePort)}
	prefix := netip.PrefixFrom(r.pod.service, 32)
	if err := space.AddLocal(prefix); err != nil {
		return nil, err
	}
	if err := n.client.AddRoute(prefix, hostAddress(host)); err != nil {
		return nil, err
	}
	if err := addNeighbours(space, 2, backends[0].host, backends[1].host); err != nil {
		return nil, err
	}
	if r.stop, err = s.start(ctx, r.pod); err != nil {
		return nil, err
	}
	if err := r.awaitAll(ctx, n.client, len(backends)); err != nil {
		return nil, errors.Join(err, r.stop())
	}
	return r, nil
}

// awaitAll sends requests until all backends have replied: a subject that reaches only one isn't balancing,
// and its figures would be misleading.
func (r *running) awaitAll(ctx context.Context, client *netspace.Space, backends int) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	heard := map[string]bool{}
	var last error
	for len(heard) < backends {
		name, err := r.answeringBackend(ctx, client)
		if err == nil {
			heard[name] = true
		}
		if last = err; ctx.Err() != nil {
			return fmt.Errorf("%s: only %d of %d backends were reached in time: %w", r.name, len(heard), backends, last)
		}
	}
	return nil
}

// endsTLS reports whether clients use TLS.
func (s subject) endsTLS() bool { return s.secured || s.peer != nil && s.peer.TLS }

func (r *running) answeringBackend(ctx context.Context, client *netspace.Space) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
	defer cancel()
	conn, err := client.Dial(ctx, "tcp", r.targets[0].String())
	if err != nil {
		return "", err
	}
	if r.endsTLS() {
		if conn, err = speakTLS(ctx, conn, secured); err != nil {
			return "", err
		}
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(500 * time.Millisecond))
	if _, err := conn.Write(request(smallPath, true)); err != nil {
		return "", err
	}
	text, err := io.ReadAll(conn)
	if err != nil {
		return "", err
	}
	if _, err := parseResponse(text); err != nil {
		return "", err
	}
	return string(field(text, "x-backend")), nil
}
