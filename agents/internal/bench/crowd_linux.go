package bench

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/rawip"
)

const (
	crowdPort   = 81
	crowdRounds = 5 // a switch drops some datagrams of a crowd, so all are sent again
)

// crowded is a service of the pod that never changes. Its flows are those of a crowd.
func (p *pod) crowded(delivery datapath.Delivery) datapath.Service {
	service := p.services(delivery)[1]
	service.Key.Port = crowdPort
	for i := range service.Backends {
		service.Backends[i].Port = crowdPort
	}
	return service
}

// fill sends datagrams of this many clients to a service, until the engine carries nearly as many flows. It returns how
// many those are.
func (s *scaling) fill(ctx context.Context, network *network, to datapath.Key, flows int) (live uint64, err error) {
	for range crowdRounds {
		if err := network.client.Do(func() error { return crowd(ctx, netip.AddrPortFrom(to.Address, to.Port), flows) }); err != nil {
			return 0, fmt.Errorf("send datagrams of %d clients: %w", flows, err)
		}
		if live, err = s.engine.live(to, uint64(flows)); err != nil || isNearly(live, flows) {
			return live, err
		}
	}
	return live, fmt.Errorf("the engine carries %d flows after datagrams of %d clients, each sent %d times", live, flows, crowdRounds)
}

// isNearly allows for a hundredth: entries are spread over a table unevenly, so it evicts some before it is full.
func isNearly(live uint64, flows int) bool { return live >= uint64(flows)-uint64(flows)/100 }

// crowd sends one datagram of each client. It uses two sockets, because one client with one wouldn't be done before its
// first flows are over.
func crowd(ctx context.Context, to netip.AddrPort, clients int) error {
	const sockets = 2
	var failures [sockets]error
	var all sync.WaitGroup
	for i := range sockets {
		socket, err := unix.Socket(unix.AF_INET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.IPPROTO_RAW)
		if err != nil {
			return err
		}
		defer unix.Close(socket)
		all.Go(func() {
			for n := i; n < clients && failures[i] == nil && ctx.Err() == nil; n += sockets {
				failures[i] = sendAs(socket, n, to)
			}
		})
	}
	all.Wait()
	return errors.Join(append(failures[:], ctx.Err())...)
}

// sendAs sends a datagram of a client in the network of shared addresses (RFC 6598). No host has a route back to it.
func sendAs(socket, client int, to netip.AddrPort) error {
	address, _ := netip.AddrFromSlice(binary.BigEndian.AppendUint32(nil, 100<<24|64<<16|uint32(client>>4)))
	flow := rawip.Flow{From: netip.AddrPortFrom(address, uint16(1024+client&15)), To: to, Protocol: rawip.UDP}
	packet := flow.Datagram([]byte("crowd"))
	for {
		err := unix.Sendto(socket, packet, 0, &unix.SockaddrInet4{Addr: to.Addr().As4()})
		if !errors.Is(err, unix.ENOBUFS) {
			return err
		}
		time.Sleep(time.Millisecond)
	}
}
