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

// bgpPort is the port of the listeners.
const bgpPort = 179

// Engine runs one gobgp server in this process.
type Engine struct {
	log       *slog.Logger
	server    *server.BgpServer // nil until the first Set
	stop      context.CancelFunc
	set       bgp.Desired    // the settings of the server
	receivers []netip.Prefix // prefixes of peers that routes are advertised to
	filters   bool           // whether the filters are set
	collector *collector
	door      *blocklist // of the server
	gate      *gate      // of the server
}

// Open returns an engine that does nothing until Set.
func Open(log *slog.Logger) *Engine {
	return &Engine{log: log, collector: newCollector()}
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
	// Filters are set before peers, so that no unwanted route passes. Old peers are removed before
	// new ones are added, which may have their addresses.
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

// sameProcess reports whether the settings agree that gobgp reads only at its start.
func sameProcess(a, b bgp.Desired) bool {
	return a.AS == b.AS && a.RouterID == b.RouterID && a.Multipath == b.Multipath && slices.Equal(a.Listens, b.Listens)
}

func (e *Engine) start(ctx context.Context, desired bgp.Desired) error {
	s := server.NewBgpServer(server.LoggerOption(slog.New(warningsOnly{e.log.Handler()}).With("part", "gobgp"), new(slog.LevelVar)))
	go s.Serve()
	global := &api.Global{
		Asn: desired.AS, RouterId: desired.RouterID.String(), ListenPort: -1, UseMultiplePaths: desired.Multipath,
	}
	if len(desired.Listens) > 0 {
		global.ListenPort, global.ListenAddresses = bgpPort, texts(desired.Listens)
	}
	if err := s.StartBgp(ctx, &api.StartBgpRequest{Global: global}); err != nil {
		s.Stop() // otherwise it keeps its listeners, and the next server can't start
		return fmt.Errorf("start BGP as AS %d with router ID %s: %w", desired.AS, desired.RouterID, err)
	}
	if err := raiseHopLimit(len(desired.Listens)); err != nil {
		s.Stop()
		return err
	}
	e.collector.table.start(desired.Multipath)
	door := newBlocklist(s)
	e.collector.block = door.block
	watching, stop := context.WithCancel(context.Background())
	if err := e.collector.watch(watching, s); err != nil {
		stop()
		door.close()
		s.Stop()
		return fmt.Errorf("watch BGP: %w", err)
	}
	gate, err := newGate(watching, e.log, s)
	if err != nil {
		stop()
		door.close()
		s.Stop()
		return fmt.Errorf("watch sessions: %w", err)
	}
	e.server, e.stop, e.door, e.gate = s, stop, door, gate
	e.set = bgp.Desired{AS: desired.AS, RouterID: desired.RouterID, Multipath: desired.Multipath, Listens: slices.Clone(desired.Listens)}
	return nil
}

func (e *Engine) end() {
	// Remove the peers that receive routes first. Otherwise the end of the other sessions would
	// send them withdrawals, although only this engine stops.
	for _, peer := range e.set.Peers {
		if peer.Gives == bgp.Nothing {
			continue
		}
		if err := e.removePeer(context.Background(), peer); err != nil {
			e.log.Warn("could not end a session before the engine stops; the peer may receive withdrawals", "peer", peer.Name(), "err", err)
		}
	}
	e.door.close()
	e.server.Stop()
	e.stop()
	e.collector.stopped()
	e.server, e.set, e.receivers, e.filters = nil, bgp.Desired{}, nil, false
}

// Changed implements bgp.Engine.
func (e *Engine) Changed() <-chan struct{} { return e.collector.changed }

// Take implements bgp.Engine.
func (e *Engine) Take() bgp.Changes { return e.collector.take() }

// Close implements bgp.Engine.
func (e *Engine) Close() error {
	if e.server != nil {
		e.end()
	}
	return nil
}

// errNotStarted is returned before the first Set.
var errNotStarted = errors.New("BGP has not started: nothing was desired yet")

func texts(addresses []netip.Addr) (texts []string) {
	for _, address := range addresses {
		texts = append(texts, address.String())
	}
	return texts
}
