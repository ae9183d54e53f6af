package ecmp

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"sync"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// pinned is where a balancer pins BPF objects that outlive its process, by the name of its node.
const pinned = "/sys/fs/bpf/fairlead"

const replicaName = "replica"

// backendName is the only backend's reply.
const backendName = "backend-1"

// replica is a balancer with its speaker, its backend, and a client behind the router.
type replica struct {
	site              *site
	balancer, speaker *member
	backend, client   *host
}

func (s *site) addReplica(ctx context.Context) (r *replica, err error) {
	r = &replica{site: s}
	place, err := s.network.add(replicaName, replicaAt, forwarding, owning)
	if err != nil {
		return nil, err
	}
	if r.backend, err = s.network.add("backend", backendAt, owning); err != nil {
		return nil, err
	}
	if r.client, err = s.network.addClient(s.router); err != nil {
		return nil, err
	}
	for _, owner := range []*host{place, r.backend} {
		if err := owner.space.AddLocal(services); err != nil {
			return nil, err
		}
	}
	if r.balancer, err = newMember(place, s.options.Agent, s.folder, "balancer"); err != nil {
		return nil, err
	}
	if r.speaker, err = newMember(place, s.options.Agent, s.folder, "speaker", "--balancer", "http://"+pagesOf["balancer"]); err != nil {
		return nil, err
	}
	s.more = append(s.more, r.balancer, r.speaker)
	first := at(services, firstOwn)
	if err := r.backend.serve(ctx, first); err != nil {
		return nil, err
	}
	if err := r.expect(first); err != nil {
		return nil, err
	}
	if err := r.balancer.start(); err != nil {
		return nil, err
	}
	if err := r.speaker.start(); err != nil {
		return nil, err
	}
	if _, err := r.ready(first); err != nil {
		return nil, err
	}
	_, err = s.kernel.await(ctx, way{host32(first), place.address}, true, startMost)
	return r, err
}

// end stops its processes, so that they don't slow others down.
func (r *replica) end() {
	r.speaker.end()
	r.balancer.end()
}

// expect adds a service without a backend; the balancer has no other.
func (r *replica) expect(service netip.Addr) error {
	if _, err := r.balancer.configure(balancing(service)); err != nil {
		return err
	}
	_, err := r.speaker.configure(speaking(reflectorAddresses(), false, offered(service, servicePort)))
	return err
}

// ready reports the service's backend as ready to the balancer.
func (r *replica) ready(service netip.Addr) (time.Time, error) {
	return r.balancer.configure(balancing(service, r.backend.address))
}

func balancing(address netip.Addr, backends ...netip.Addr) *agentv1.NodeConfig {
	service := &agentv1.BalancerService{
		LoadBalancerId: "lb_" + address.String(), ExposureId: "exp_" + address.String(),
		Address: address.String(), Port: servicePort, Protocol: "tcp", Delivery: "direct",
	}
	for _, backend := range backends {
		service.Backends = append(service.Backends, &agentv1.BalancerBackend{
			Id: backendName, Address: backend.String(), Port: servicePort, Weight: 1, State: "active",
		})
	}
	return &agentv1.NodeConfig{Balancer: &agentv1.BalancerRole{Engine: "auto", Services: []*agentv1.BalancerService{service}}}
}

// serve replies to each line at a service's address with the backend's name.
func (h *host) serve(ctx context.Context, service netip.Addr) error {
	listener, err := h.space.Listen(ctx, "tcp", netip.AddrPortFrom(service, servicePort).String())
	if err != nil {
		return err
	}
	context.AfterFunc(ctx, func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				if _, err := bufio.NewReader(conn).ReadString('\n'); err == nil {
					_, _ = io.WriteString(conn, backendName+"\n")
				}
			}()
		}
	}()
	return nil
}

// A router without a route sends only few ICMP errors, so most requests time out. Several requests are
// therefore sent, slightly staggered.
const (
	requesters   = 8
	requestGap   = 5 * time.Millisecond
	answerWithin = requesters * requestGap
)

// request sends requests to a service until one is answered, and returns the time.
func (h *host) request(ctx context.Context, service netip.Addr) (time.Time, error) {
	ctx, stop := context.WithTimeout(ctx, followMost)
	defer stop()
	answered := make(chan time.Time, requesters)
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	for i := range requesters {
		running.Go(func() {
			// One thread in the client's namespace does everything.
			_ = h.space.Do(func() error {
				_ = pause(ctx, time.Duration(i)*requestGap)
				for ctx.Err() == nil {
					if requestOnce(ctx, service) == nil {
						answered <- time.Now()
						return nil
					}
				}
				return nil
			})
		})
	}
	select {
	case first := <-answered:
		return first, nil
	case <-ctx.Done():
		return time.Time{}, fmt.Errorf("no reply from %s within %s", service, followMost)
	}
}

// requestOnce waits out its interval when it is refused, too.
func requestOnce(ctx context.Context, service netip.Addr) error {
	ctx, stop := context.WithTimeout(ctx, answerWithin)
	defer stop()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", netip.AddrPortFrom(service, servicePort).String())
	if err != nil {
		<-ctx.Done()
		return err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(answerWithin))
	if _, err := io.WriteString(conn, "who\n"); err != nil {
		return err
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err == nil && line != backendName+"\n" {
		err = fmt.Errorf("%q answers", line)
	}
	return err
}
