package gobgp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"

	"github.com/osrg/gobgp/v4/api"
	"github.com/osrg/gobgp/v4/pkg/server"

	"fairlead.dev/agents/internal/bgp"
)

// bgpPort is where peers call.
const bgpPort = 179

// Engine is one gobgp in this process.
type Engine struct {
	log     *slog.Logger
	server  *server.BgpServer // nil until something is desired
	stop    context.CancelFunc
	set     bgp.Desired // what the server has been told
	given   []string    // who may be given routes, and
	filters bool        // whether it was told so
	news    *news
	door    *doorman // of the server
}

// Open makes an engine that does nothing yet.
func Open(log *slog.Logger) *Engine {
	return &Engine{log: log, news: newNews()}
}

// Set implements bgp.Engine.
func (e *Engine) Set(ctx context.Context, desired bgp.Desired) (changes int, err error) {
	if err := desired.Check(); err != nil {
		return 0, err
	}
	if e.server != nil && !sameProcess(e.set, desired) {
		e.end()
		changes++
	}
	if e.server == nil {
		if err := e.start(ctx, desired); err != nil {
			return changes, err
		}
		changes++
	}
	// Filters before peers, so that nothing passes that should not; old peers go before
	// new ones come, which may have their addresses.
	for _, step := range []func(context.Context, bgp.Desired) (int, error){
		e.removePeers, e.setFilters, e.setOffers, e.addPeers,
	} {
		n, err := step(ctx, desired)
		changes += n
		if err != nil {
			return changes, err
		}
	}
	return changes, nil
}

// sameProcess says whether nothing differs that is given to gobgp only at its start.
func sameProcess(a, b bgp.Desired) bool {
	return a.AS == b.AS && a.RouterID == b.RouterID && a.Multipath == b.Multipath && slices.Equal(a.Listens, b.Listens)
}

func (e *Engine) start(ctx context.Context, desired bgp.Desired) error {
	s := server.NewBgpServer(server.LoggerOption(slog.New(quiet{e.log.Handler()}).With("part", "gobgp"), new(slog.LevelVar)))
	go s.Serve()
	global := &api.Global{
		Asn: desired.AS, RouterId: desired.RouterID.String(), ListenPort: -1, UseMultiplePaths: desired.Multipath,
	}
	if len(desired.Listens) > 0 {
		global.ListenPort, global.ListenAddresses = bgpPort, texts(desired.Listens)
	}
	if err := s.StartBgp(ctx, &api.StartBgpRequest{Global: global}); err != nil {
		s.Stop() // or it goes on listening where it could, and the next one can't
		return fmt.Errorf("start BGP as AS %d with router ID %s: %w", desired.AS, desired.RouterID, err)
	}
	if err := reachNear(len(desired.Listens)); err != nil {
		s.Stop()
		return err
	}
	e.news.table.begin(desired.Multipath)
	door := newDoorman(s)
	e.news.keepOut = door.keepOut
	watching, stop := context.WithCancel(context.Background())
	if err := e.news.watch(watching, s); err != nil {
		stop()
		door.close()
		s.Stop()
		return fmt.Errorf("watch BGP: %w", err)
	}
	e.server, e.stop, e.door = s, stop, door
	e.set = bgp.Desired{AS: desired.AS, RouterID: desired.RouterID, Multipath: desired.Multipath, Listens: slices.Clone(desired.Listens)}
	return nil
}

func (e *Engine) end() {
	// First those who are given routes: as the others go they would be told that all is taken
	// back, and would not know that it is only we who end.
	for _, peer := range e.set.Peers {
		if peer.Gives == bgp.Nothing {
			continue
		}
		if err := e.removePeer(context.Background(), peer); err != nil {
			e.log.Warn("a peer is told that routes are taken back", "peer", peer.Name(), "err", err)
		}
	}
	e.door.close()
	e.server.Stop()
	e.stop()
	e.news.ended()
	e.server, e.set, e.given, e.filters = nil, bgp.Desired{}, nil, false
}

// Changed implements bgp.Engine.
func (e *Engine) Changed() <-chan struct{} { return e.news.changed }

// Take implements bgp.Engine.
func (e *Engine) Take() bgp.Changes { return e.news.take() }

// Close implements bgp.Engine.
func (e *Engine) Close() error {
	if e.server != nil {
		e.end()
	}
	return nil
}

// errNotStarted is what is read before anything was desired.
var errNotStarted = errors.New("BGP has not started: nothing was desired yet")

func texts(addresses []netip.Addr) (texts []string) {
	for _, address := range addresses {
		texts = append(texts, address.String())
	}
	return texts
}
