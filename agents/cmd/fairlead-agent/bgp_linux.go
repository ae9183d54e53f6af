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
	"fairlead.dev/agents/internal/bgp/gobgp"
	"fairlead.dev/agents/internal/bgp/message"
	"fairlead.dev/agents/internal/fib"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/health"
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
	checks := checks{connect: health.Prober{}.Probe}
	if s.balancer != "off" {
		if address, err := url.Parse(s.balancer); err != nil || address.Scheme != "http" || address.Host == "" {
			return refuse("%q is not the address of a balancer: set --balancer, such as http://127.0.0.1:9100, or off", s.balancer)
		}
		var key func() (string, error)
		if s.pages.keyFile != "" {
			key = func() (string, error) { return readPagesKey(s.pages.keyFile) }
			if _, err := key(); err != nil {
				return err
			}
		}
		checks.balancer = beside.New(s.balancer, key)
	}
	prober, err := inward.Open(s.iface)
	if err != nil {
		log.Warn("probes can't use the data path: services without a process rely on the balancer's status", "err", err)
	} else {
		defer prober.Close()
		checks.inward = prober.Probe
	}
	engine := gobgp.Open(log)
	options := speaker.Options{Engine: engine, Probe: checks.probe, Connect: checks.plain, Live: checks.live, Now: time.Now, Log: log}
	if noticed, err := arrivals.Open(s.iface); err != nil {
		log.Warn("the arrival of the first and last packet of an update can't be observed", "err", err)
	} else {
		options.Arrivals = noticed
	}
	if checks.balancer != nil {
		options.Ends, options.Ready = checks.balancer.End, checks.balancer.Ready
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

// runPeer runs a BGP role, and answers queries for the routes of its engine and the kernel.
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
	link := &agent.ObservedLink{Link: linkOf(s, answer, log)}
	pages := map[string]http.Handler{"/status": link, "/routes": message.Routes(engine), "/metrics": message.Metrics(link)}
	stopPages, err := servePages(s.pages, pages, log)
	if err != nil {
		return err
	}
	defer stopPages()
	return agent.Run(ctx, agent.Options{Link: link, StateFolder: s.state, StateKey: s.stateKey, Log: log}, role)
}

// carriedAgain is how soon the balancer's page, which is read once for all services, is read again
// for services that it doesn't carry yet.
const carriedAgain = 100 * time.Millisecond

// checks are the ways in which a speaker checks a service.
type checks struct {
	balancer *beside.Balancer                           // nil for a third-party balancer
	inward   func(context.Context, health.Target) error // nil where the kernel loads no program
	connect  func(context.Context, health.Target) error
}

// probe uses the data path.
func (a checks) probe(ctx context.Context, target health.Target) error {
	if err := a.carried(ctx, target); err != nil {
		return err
	}
	if a.balancer != nil && a.balancer.InProcess(ctx) {
		return a.plain(ctx, target)
	}
	if target.Check.Kind == "" || a.inward == nil {
		return a.confirmed()
	}
	return a.inward(ctx, target)
}

// plain opens a connection from this host, for a process that accepts it.
func (a checks) plain(ctx context.Context, target health.Target) error {
	if err := a.carried(ctx, target); err != nil {
		return err
	}
	if target.Check.Kind == "" {
		return a.confirmed()
	}
	return a.connect(ctx, target)
}

// confirmed is for services without a possible probe: the balancer has already reported that it carries
// them.
func (a checks) confirmed() error {
	if a.balancer == nil {
		return errors.New("its state is unknown: probes can't use the data path, and no balancer is configured")
	}
	return nil
}

func (a checks) carried(ctx context.Context, target health.Target) error {
	if a.balancer == nil {
		return nil
	}
	if err := a.balancer.Carries(ctx, target.Address); err != nil {
		return health.NotContacted{Err: err, Again: carriedAgain}
	}
	return nil
}

func (a checks) live(prefix netip.Prefix) (connections int, at time.Time) {
	if a.balancer == nil {
		return 0, time.Time{}
	}
	return a.balancer.Live(prefix)
}
