package gobgp

import (
	"context"
	"net/netip"
	"sync"
	"time"

	"github.com/osrg/gobgp/v4/api"
	"github.com/osrg/gobgp/v4/pkg/server"

	"fairlead.dev/agents/internal/bgp"
)

// A dynamic peer that exceeds its route limit would otherwise reconnect at once, send its first
// routes, and be closed again, in an endless loop.
const (
	firstBlock = 15 * time.Second
	maxBlock   = time.Hour
)

// blocklist blocks dynamic peers for a while: gobgp closes connections from a peer that is
// administratively down.
type blocklist struct {
	server  *server.BgpServer
	ctx     context.Context
	stop    context.CancelFunc
	running sync.WaitGroup

	mutex   sync.Mutex
	blocked map[netip.Addr]*blockedPeer
}

// blockedPeer can be unblocked early.
type blockedPeer struct {
	unblock context.CancelFunc
	done    chan struct{}
}

func newBlocklist(s *server.BgpServer) *blocklist {
	d := &blocklist{server: s, blocked: map[netip.Addr]*blockedPeer{}}
	d.ctx, d.stop = context.WithCancel(context.Background())
	return d
}

// block returns at once.
func (d *blocklist) block(caller netip.Addr, as uint32, wait time.Duration) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.blocked[caller] != nil || d.ctx.Err() != nil {
		return
	}
	ctx, let := context.WithCancel(d.ctx)
	one := &blockedPeer{unblock: let, done: make(chan struct{})}
	d.blocked[caller] = one
	d.running.Go(func() {
		defer close(one.done)
		if d.shut(ctx, caller, as) {
			select {
			case <-time.After(wait):
			case <-ctx.Done():
			}
			_ = d.server.DeletePeer(context.Background(), &api.DeletePeerRequest{Address: caller.String()})
		}
		d.mutex.Lock()
		defer d.mutex.Unlock()
		delete(d.blocked, caller)
		let()
	})
}

// shut retries until gobgp has removed the dynamic peer that it replaces.
func (d *blocklist) shut(ctx context.Context, caller netip.Addr, as uint32) bool {
	const tries, pause = 100, 20 * time.Millisecond
	for range tries {
		if err := d.server.AddPeer(ctx, &api.AddPeerRequest{Peer: &api.Peer{
			Conf:      &api.PeerConf{NeighborAddress: caller.String(), PeerAsn: as, AdminDown: true},
			Transport: &api.Transport{PassiveMode: true},
		}}); err == nil {
			return true
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return false
		}
	}
	return false
}

// letIn unblocks the peers that these settings are for, since the settings changed.
func (d *blocklist) letIn(peer bgp.Peer) {
	for _, one := range d.waiting(func(caller netip.Addr) bool {
		return peer.Address == caller || peer.Callers.IsValid() && peer.Callers.Contains(caller)
	}) {
		one.unblock()
		<-one.done
	}
}

func (d *blocklist) waiting(of func(caller netip.Addr) bool) (peers []*blockedPeer) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	for caller, one := range d.blocked {
		if of(caller) {
			peers = append(peers, one)
		}
	}
	return peers
}

// blocks reports whether a peer is blocked.
func (d *blocklist) blocks(caller netip.Addr) bool {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.blocked[caller] != nil
}

func (d *blocklist) close() {
	d.stop()
	d.running.Wait()
}
