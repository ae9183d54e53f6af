package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/balancer/health"
	"fairlead.dev/agents/internal/bgp/gobgp"
	"fairlead.dev/agents/internal/bgp/message"
	"fairlead.dev/agents/internal/fib"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/hostaddress"
	"fairlead.dev/agents/internal/reflector"
	"fairlead.dev/agents/internal/router"
	"fairlead.dev/agents/internal/speaker"
	"fairlead.dev/agents/internal/speaker/arrivals"
	"fairlead.dev/agents/internal/speaker/beside"
	"fairlead.dev/agents/internal/speaker/inward"
)

func runSpeaker(ctx context.Context, s *settings, log *slog.Logger) error {
	if err := checkInterface(s.iface); err != nil {
		return err
	}
	asks := asks{connect: health.Prober{}.Probe}
	if s.balancer != "off" {
		if address, err := url.Parse(s.balancer); err != nil || address.Scheme != "http" || address.Host == "" {
			return refuse("%q is no address of a balancer's pages: give --balancer as http://127.0.0.1:9100, or off", s.balancer)
		}
		asks.balancer = beside.New(s.balancer)
	}
	prober, err := inward.Open(s.iface)
	if err != nil {
		log.Warn("probes can't go through the data path: the balancer's word is taken for what no process answers", "err", err)
	} else {
		defer prober.Close()
		asks.inward = prober.Probe
	}
	engine := gobgp.Open(log)
	options := speaker.Options{Engine: engine, Probe: asks.probe, Connect: asks.plain, Live: asks.live, Now: time.Now, Log: log}
	if noticed, err := arrivals.Open(s.iface); err != nil {
		log.Warn("when the first and the last packet of an update come in stays unknown", "err", err)
	} else {
		options.Arrivals = noticed
	}
	if asks.balancer != nil {
		options.Ends, options.Ready = asks.balancer.End, asks.balancer.Ready
	}
	driver := speaker.NewDriver(options)
	return runPeer(ctx, s, log, engine, nil, speaker.NewRole(driver, s.iface))
}

func runReflector(ctx context.Context, s *settings, log *slog.Logger) error {
	if err := checkInterface(s.iface); err != nil {
		return err
	}
	engine := gobgp.Open(log)
	return runPeer(ctx, s, log, engine, nil, reflector.NewRole(reflector.NewDriver(engine, log), s.iface))
}

func runRouter(ctx context.Context, s *settings, log *slog.Logger) error {
	if err := checkInterface(s.iface); err != nil {
		return err
	}
	engine := gobgp.Open(log)
	driver := router.NewDriver(router.Options{
		Engine: engine, Now: time.Now, Log: log,
		Open: func(options fib.Options) (router.Table, error) { return fib.Open(options) },
	})
	kernel := router.Kernel(func() (map[netip.Prefix][]fib.Hop, error) {
		return fib.ReadWeighed(func(read func() error) error { return read() }, router.Owner)
	})
	return runPeer(ctx, s, log, engine, kernel, router.NewRole(driver, s.iface))
}

// runPeer runs a role that speaks BGP, and answers what its engine and the kernel know of routes.
func runPeer[Desired, Observed any](
	ctx context.Context, s *settings, log *slog.Logger, engine message.Reader, kernel message.Kernel, role agent.Role[Desired, Observed],
) error {
	changed, unwatch, err := hostaddress.Watch()
	if err != nil {
		return err
	}
	defer unwatch()
	role.Stale = changed
	answer := func(ctx context.Context, question *agentv1.Question) *agentv1.AnswerRequest {
		return message.Answer(ctx, engine, kernel, question)
	}
	link := &agent.Overheard{Link: linkOf(s, answer, log)}
	pages := map[string]http.Handler{"/status": link, "/routes": message.Routes(engine), "/metrics": message.Metrics(link)}
	stopPages, err := servePages(s.metricsListen, pages, log)
	if err != nil {
		return err
	}
	defer stopPages()
	return agent.Run(ctx, agent.Options{Link: link, StateFolder: s.state, Log: log}, role)
}

// carriedAgain is how soon the balancer's page, which is read once for all services, is looked
// at again for what it doesn't carry yet.
const carriedAgain = 100 * time.Millisecond

// asks is how a speaker finds out whether a service works.
type asks struct {
	balancer *beside.Balancer                           // nil where it is none of ours
	inward   func(context.Context, health.Target) error // nil where the kernel lets no program in
	connect  func(context.Context, health.Target) error
}

// probe goes through the data path.
func (a asks) probe(ctx context.Context, target health.Target) error {
	// First what knows when to give up: a balancer that is frozen answers nothing.
	if err := a.carried(ctx, target); err != nil {
		return err
	}
	if a.balancer != nil && a.balancer.InProcess() {
		return a.plain(ctx, target)
	}
	if target.Check.Kind == "" || a.inward == nil {
		return a.vouched()
	}
	return a.inward(ctx, target)
}

// plain opens a connection of this host, where a process takes it.
func (a asks) plain(ctx context.Context, target health.Target) error {
	if err := a.carried(ctx, target); err != nil {
		return err
	}
	if target.Check.Kind == "" {
		return a.vouched()
	}
	return a.connect(ctx, target)
}

// vouched is for what can't be asked: the balancer, which was, has said that it carries it.
func (a asks) vouched() error {
	if a.balancer == nil {
		return errors.New("nothing says whether it works: no probe can go through the data path, and no balancer is asked")
	}
	return nil
}

func (a asks) carried(ctx context.Context, target health.Target) error {
	if a.balancer == nil {
		return nil
	}
	if err := a.balancer.Carries(ctx, target.Address); err != nil {
		return health.Unasked{Err: err, Again: carriedAgain}
	}
	return nil
}

func (a asks) live(prefix netip.Prefix) (connections int, at time.Time) {
	if a.balancer == nil {
		return 0, time.Time{}
	}
	return a.balancer.Live(prefix)
}
