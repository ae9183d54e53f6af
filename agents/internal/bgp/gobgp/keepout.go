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

// A caller that offered more than it may would come up again at once, tell its first routes, and go, for ever.
const (
	keptOutFirst = 15 * time.Second
	keptOutMost  = time.Hour
)

// doorman keeps callers out for a while: gobgp hangs up on a peer that is shut before a word is said.
type doorman struct {
	server *server.BgpServer
	ctx    context.Context
	stop   context.CancelFunc
	going  sync.WaitGroup

	mutex sync.Mutex
	out   map[netip.Addr]*guest
}

// guest waits outside.
type guest struct {
	let  context.CancelFunc
	done chan struct{}
}

func newDoorman(s *server.BgpServer) *doorman {
	d := &doorman{server: s, out: map[netip.Addr]*guest{}}
	d.ctx, d.stop = context.WithCancel(context.Background())
	return d
}

// keepOut returns at once.
func (d *doorman) keepOut(caller netip.Addr, as uint32, wait time.Duration) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.out[caller] != nil || d.ctx.Err() != nil {
		return
	}
	ctx, let := context.WithCancel(d.ctx)
	one := &guest{let: let, done: make(chan struct{})}
	d.out[caller] = one
	d.going.Go(func() {
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
		delete(d.out, caller)
		let()
	})
}

// shut tries again while gobgp still takes leave of the caller, whose place it takes.
func (d *doorman) shut(ctx context.Context, caller netip.Addr, as uint32) bool {
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

// letIn ends the wait of those that a peer stands for, who is asked for in other words now.
func (d *doorman) letIn(peer bgp.Peer) {
	for _, one := range d.waiting(func(caller netip.Addr) bool {
		return peer.Address == caller || peer.Callers.IsValid() && peer.Callers.Contains(caller)
	}) {
		one.let()
		<-one.done
	}
}

func (d *doorman) waiting(of func(caller netip.Addr) bool) (guests []*guest) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	for caller, one := range d.out {
		if of(caller) {
			guests = append(guests, one)
		}
	}
	return guests
}

// keeps says whether one is kept out.
func (d *doorman) keeps(caller netip.Addr) bool {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.out[caller] != nil
}

func (d *doorman) close() {
	d.stop()
	d.going.Wait()
}
