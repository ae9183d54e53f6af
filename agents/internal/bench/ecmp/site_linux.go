package ecmp

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

const (
	reflectorCount = 2
	speakerCount   = 4 // the first always stays, so that there is a route
	servicePort    = 80
)

// shared is the address that all speakers advertise.
var shared = at(services, 7)

// startMost is how long a member may take to start, including third-party routers.
const startMost = 30 * time.Second

// site is the network that one subject is measured in.
type site struct {
	options    Options
	folder     string
	network    *network
	router     *host
	routing    ender // the router's processes
	kernel     *kernel
	stop       context.CancelFunc // stops following the kernel
	reflectors []*member
	speakers   []*speaker
	more       []*member // of a replica
}

// speaker is a member with its service.
type speaker struct {
	*member
	service *agentv1.SpeakerService
	way     way
}

// build creates a site with all members up and announced.
func build(ctx context.Context, options Options, subject subject, folder string) (s *site, err error) {
	s = &site{options: options, folder: folder, stop: func() {}}
	defer func() {
		if err != nil {
			if ctx.Err() == nil {
				s.printOutput()
			}
			err = errors.Join(err, s.close())
		}
	}()
	if s.network, err = newNetwork(); err != nil {
		return s, err
	}
	if s.router, err = s.network.add("router", routerAt, forwarding); err != nil {
		return s, err
	}
	if s.kernel, err = watchKernel(s.router.space); err != nil {
		return s, err
	}
	var following context.Context
	following, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	go s.kernel.follow(following)
	for i := range reflectorCount {
		if err := s.addReflector(i); err != nil {
			return s, err
		}
	}
	if s.routing, err = subject.start(s); err != nil {
		return s, err
	}
	for i := range speakerCount {
		if err := s.addSpeaker(ctx, i); err != nil {
			return s, err
		}
	}
	return s, s.awaitAll(ctx)
}

func reflectorAddresses() (addresses []netip.Addr) {
	for i := range reflectorCount {
		addresses = append(addresses, at(lan, reflectorAt+i))
	}
	return addresses
}

func (s *site) addReflector(i int) error {
	h, err := s.network.add(fmt.Sprintf("reflector-%d", i+1), reflectorAt+i)
	if err != nil {
		return err
	}
	m, err := newMember(h, s.options.Agent, s.folder, "reflector")
	if err != nil {
		return err
	}
	s.reflectors = append(s.reflectors, m)
	if _, err := m.configure(reflecting(s.router.address, false)); err != nil {
		return err
	}
	return m.start()
}

func (s *site) addSpeaker(ctx context.Context, i int) error {
	h, err := s.network.add(fmt.Sprintf("speaker-%d", i+1), speakerAt+i, owning)
	if err != nil {
		return err
	}
	if err := h.answer(ctx, shared, servicePort); err != nil {
		return err
	}
	m, err := newMember(h, s.options.Agent, s.folder, "speaker", "--balancer", "off")
	if err != nil {
		return err
	}
	one := &speaker{member: m, service: offered(shared, servicePort), way: way{host32(shared), h.address}}
	one.service.Plain = true
	s.speakers = append(s.speakers, one)
	if _, err := one.order(false, false); err != nil {
		return err
	}
	return m.start()
}

// answer accepts connections to a service's address, and sends nothing.
func (h *host) answer(ctx context.Context, address netip.Addr, port uint16) error {
	if err := h.space.AddLocal(host32(address)); err != nil {
		return err
	}
	listener, err := h.space.Listen(ctx, "tcp", netip.AddrPortFrom(address, port).String())
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
			_ = conn.Close()
		}
	}()
	return nil
}

// order sets whether a speaker advertises its service, and returns the time.
func (s *speaker) order(leaving, detects bool) (time.Time, error) {
	s.service.Leaving = leaving
	return s.configure(speaking(reflectorAddresses(), detects, s.service))
}

// awaitAll waits until all speakers are announced.
func (s *site) awaitAll(ctx context.Context) error {
	for _, one := range s.speakers {
		if _, err := s.kernel.await(ctx, one.way, true, startMost); err != nil {
			return err
		}
	}
	return nil
}

// printOutput prints the processes' output after a failure.
func (s *site) printOutput() {
	for _, m := range s.members() {
		m.end()
		for _, output := range m.outputs {
			fmt.Fprintf(os.Stderr, "%s printed:\n%s", m.name, output)
		}
	}
}

func (s *site) members() (members []*member) {
	members = append(members, s.reflectors...)
	for _, one := range s.speakers {
		members = append(members, one.member)
	}
	return append(members, s.more...)
}

func (s *site) close() error {
	for _, m := range s.members() {
		m.end()
	}
	if s.routing != nil {
		s.routing.end()
	}
	if s.kernel != nil {
		s.stop()
		<-s.kernel.ended
	}
	if s.network == nil {
		return nil
	}
	return errors.Join(s.network.close(), os.RemoveAll(filepath.Join(pinned, s.network.name+"-"+replicaName)))
}
