package bgpscale

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/netspace"
)

// Options are the size of a run.
type Options struct {
	Agent    string // the program fairlead-agent
	Speakers int
	Prefixes int // of each speaker, the same for all
	Rounds   int
}

// Outcome is one round. Seconds are from the first advertisement, or from the moment at which all speakers
// are cut off.
type Outcome struct {
	Round           int             `json:"round"`
	Speakers        int             `json:"speakers"`
	Prefixes        int             `json:"prefixes"`
	LoadSeconds     float64         `json:"loadSeconds"`     // until the router has every route
	KernelSeconds   float64         `json:"kernelSeconds"`   // until a report has all routes in the kernel; a report is sent once a second
	WithdrawSeconds float64         `json:"withdrawSeconds"` // until neither has any
	IdleBytes       uint64          `json:"idleBytes"`       // of the reflector, before
	ReflectorBytes  uint64          `json:"reflectorBytes"`  // with all routes
	RouterBytes     uint64          `json:"routerBytes"`
	ReflectorMost   uint64          `json:"reflectorMostBytes"` // peak
	RouterMost      uint64          `json:"routerMostBytes"`
	ReflectorCPU    CPU             `json:"reflectorCpuSeconds"`
	RouterCPU       CPU             `json:"routerCpuSeconds"`
	ResponseTimes   []ResponseTimes `json:"asked"`
}

// CPU is the CPU time of a process, which is more exact than elapsed time on a busy machine.
type CPU struct {
	Loading     float64 `json:"loading"` // until all routes are in the kernel
	Withdrawing float64 `json:"withdrawing"`
}

const (
	as    = 65021
	link  = "eth0"
	phase = 2 * time.Minute // limit of each phase of a round
)

var (
	lan       = netip.MustParsePrefix("10.79.0.0/16")
	services  = netip.MustParsePrefix("198.18.0.0/15")
	reflector = netip.MustParseAddr("10.79.0.1")
	router    = netip.MustParseAddr("10.79.0.2")
)

// Run measures the given number of rounds, each from an empty table.
func Run(ctx context.Context, options Options, done func(Outcome)) error {
	if options.Speakers < 1 || options.Speakers > 250 || options.Prefixes < 1 || options.Prefixes > 1000 || options.Rounds < 1 {
		return errors.New("give 1 … 250 speakers, 1 … 1000 prefixes and a round at least")
	}
	if os.Geteuid() != 0 {
		return errors.New("namespaces and routes are root's: run it as root")
	}
	for i := range options.Rounds {
		outcome, err := round(ctx, options)
		if err != nil {
			return fmt.Errorf("round %d: %w", i+1, err)
		}
		outcome.Round = i
		done(*outcome)
	}
	return nil
}

func round(ctx context.Context, options Options) (outcome *Outcome, err error) {
	folder, err := os.MkdirTemp("", "flscale")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	n, err := build(options.Speakers)
	defer func() { err = errors.Join(err, n.delete()) }()
	if err != nil {
		return nil, err
	}
	agents, err := startAgents(n, options.Agent, folder)
	defer func() {
		for _, each := range agents {
			if err = errors.Join(err, each.stop()); err != nil {
				fmt.Fprintf(os.Stderr, "the %s printed at last:\n%s", each.role, each.last())
			}
		}
	}()
	if err != nil {
		return nil, err
	}
	return measure(ctx, n, agents[0], agents[1], options)
}

func startAgents(n *network, program, folder string) (agents []*agent, err error) {
	reflects := &agentv1.ReflectorRole{Accepts: []string{services.String()}, Bgp: &agentv1.Bgp{As: as, Peers: []*agentv1.BgpPeer{
		{Callers: lan.String(), As: as, Client: true, HoldSeconds: holdSeconds}, {Address: router.String(), As: as, HoldSeconds: holdSeconds},
	}}}
	routes := &agentv1.RouterRole{Accepts: []string{services.String()}, Bgp: &agentv1.Bgp{As: as, Peers: []*agentv1.BgpPeer{
		{Address: reflector.String(), As: as, HoldSeconds: holdSeconds},
	}}}
	for _, each := range []struct {
		space  *netspace.Space
		role   string
		config *agentv1.NodeConfig
	}{{n.reflector, "reflector", &agentv1.NodeConfig{Reflector: reflects}}, {n.router, "router", &agentv1.NodeConfig{Router: routes}}} {
		one, err := start(each.space, program, folder, each.role, each.config)
		if err != nil {
			return agents, err
		}
		agents = append(agents, one)
	}
	return agents, nil
}

func measure(ctx context.Context, n *network, reflects, routes *agent, options Options) (outcome *Outcome, err error) {
	ctx, cancel := context.WithTimeout(ctx, 4*phase)
	defer cancel()
	if err := until(ctx, func() bool { return isUp(ctx, routes) && isUp(ctx, reflects) }); err != nil {
		return nil, fmt.Errorf("wait for router and reflector to talk: %w", err)
	}
	outcome = &Outcome{Speakers: options.Speakers, Prefixes: options.Prefixes}
	if outcome.IdleBytes, _, err = reflects.memory(); err != nil {
		return nil, err
	}
	speakers, err := n.call(ctx)
	defer func() {
		for _, each := range speakers {
			_ = each.conn.Close()
		}
	}()
	if err != nil {
		return nil, err
	}
	prefixes := make([]netip.Prefix, options.Prefixes)
	for i := range prefixes {
		prefixes[i] = netip.PrefixFrom(netip.AddrFrom4([4]byte{198, 18, byte(i >> 8), byte(i)}), 32)
	}
	all := uint64(options.Speakers * options.Prefixes)
	pair := []*agent{reflects, routes}

	before, err := spent(pair)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	var offers sync.WaitGroup
	failures := make([]error, len(speakers))
	for i, each := range speakers {
		offers.Go(func() { failures[i] = each.offer(prefixes) })
	}
	took, times, err := watch(ctx, "loading", pair, prefixes, all)
	offers.Wait()
	if err := errors.Join(append(failures, err)...); err != nil {
		return nil, err
	}
	outcome.LoadSeconds, outcome.ResponseTimes = took.Sub(began).Seconds(), times
	if err := until(ctx, func() bool { return inKernel(ctx, routes, options) }); err != nil {
		return nil, fmt.Errorf("wait for the kernel to have all routes: %w", err)
	}
	outcome.KernelSeconds = time.Since(began).Seconds()
	loaded, err := spent(pair)
	if err != nil {
		return nil, err
	}
	if outcome.ReflectorBytes, _, err = reflects.memory(); err != nil {
		return nil, err
	}
	if outcome.RouterBytes, _, err = routes.memory(); err != nil {
		return nil, err
	}

	began = time.Now()
	for _, each := range speakers {
		_ = each.conn.Close()
	}
	took, times, err = watch(ctx, "withdrawing", pair, prefixes, 0)
	if err != nil {
		return nil, err
	}
	outcome.WithdrawSeconds, outcome.ResponseTimes = took.Sub(began).Seconds(), append(outcome.ResponseTimes, times...)
	after, err := spent(pair)
	if err != nil {
		return nil, err
	}
	for i, of := range []*CPU{&outcome.ReflectorCPU, &outcome.RouterCPU} {
		*of = CPU{Loading: loaded[i] - before[i], Withdrawing: after[i] - loaded[i]}
	}
	if _, outcome.ReflectorMost, err = reflects.memory(); err != nil {
		return nil, err
	}
	_, outcome.RouterMost, err = routes.memory()
	return outcome, err
}

// watch polls agents until both have this many routes, and returns the time.
func watch(ctx context.Context, what string, agents []*agent, prefixes []netip.Prefix, want uint64) (last time.Time, times []ResponseTimes, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, phase, fmt.Errorf("%s took longer than %s", what, phase))
	defer cancel()
	var queriers []*querier
	reached := make(chan time.Time, len(agents))
	for _, each := range agents {
		there := false
		queriers = append(queriers, startQuerier(ctx, each, what, prefixes, func(known uint64, at time.Time) {
			if known == want && !there {
				there = true
				reached <- at
			}
		}))
	}
	for range agents {
		select {
		case at := <-reached:
			last = at
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
	}
	for _, each := range queriers {
		times = append(times, each.end())
	}
	return last, times, err
}

func spent(agents []*agent) (seconds []float64, err error) {
	for _, each := range agents {
		one, err := each.spent()
		if err != nil {
			return nil, err
		}
		seconds = append(seconds, one)
	}
	return seconds, nil
}

func isUp(ctx context.Context, of *agent) bool {
	status, err := of.status(ctx)
	return err == nil && len(status.GetSessions()) > 0 && status.GetSessions()[0].GetState() == "established"
}

func inKernel(ctx context.Context, routes *agent, options Options) bool {
	status, err := routes.status(ctx)
	if err != nil || len(status.GetRoutes()) != options.Prefixes {
		return false
	}
	for _, route := range status.GetRoutes() {
		if len(route.GetNextHops()) != options.Speakers {
			return false
		}
	}
	return true
}

func until(ctx context.Context, holds func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, phase)
	defer cancel()
	for !holds() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return nil
}

// call opens the session of every speaker, from its own address.
func (n *network) call(ctx context.Context) (sessions []*session, err error) {
	for _, address := range n.addresses {
		dialer := net.Dialer{LocalAddr: net.TCPAddrFromAddrPort(netip.AddrPortFrom(address, 0)), Timeout: 10 * time.Second}
		var conn net.Conn
		if err := n.speakers.Do(func() (err error) {
			conn, err = dialer.DialContext(ctx, "tcp", netip.AddrPortFrom(reflector, 179).String())
			return err
		}); err != nil {
			return sessions, err
		}
		one, err := openSession(conn, address, as)
		if err != nil {
			return sessions, errors.Join(err, conn.Close())
		}
		sessions = append(sessions, one)
	}
	return sessions, nil
}
