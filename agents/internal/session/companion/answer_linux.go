package companion

import (
	"errors"
	"net"
	"net/netip"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/session/message"
)

func keyOf(address netip.AddrPort) datapath.Key {
	return datapath.Key{Address: address.Addr(), Port: address.Port(), Protocol: datapath.TCP}
}

func (c *Companion) serviceAt(address netip.AddrPort) *Service {
	services := *c.services.Load()
	for i := range services {
		if services[i].Address == address {
			return &services[i]
		}
	}
	return nil
}

// receive answers replicas, until the socket is closed.
func (c *Companion) receive() {
	buffer := make([]byte, 2048)
	for {
		n, from, err := c.socket.ReadFromUDPAddrPort(buffer)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue // such as that a replica isn't there
		}
		at, ok := message.ServiceOf(buffer[:n])
		service := c.serviceAt(at)
		if !ok || service == nil {
			continue
		}
		if m, err := message.OpenAny(service.Keys.Messages(), time.Now(), buffer[:n]); err == nil {
			c.answer(service, m, from)
		}
	}
}

func (c *Companion) answer(service *Service, m message.Message, to netip.AddrPort) {
	switch m.Kind {
	case message.Find:
		kind, err := c.diagnosis.answer(service.Address, m.Client)
		if err != nil {
			return // no answer: the replica repeats its request
		}
		c.send(service, message.Message{Kind: kind, Client: m.Client}, to)
	case message.RequestIDs:
		c.answerIDs(service, m, to)
	case message.FindID:
		c.answerID(service, m, to)
	}
}

func (c *Companion) send(service *Service, m message.Message, to ...netip.AddrPort) {
	m.Backend, m.Service = service.Backend, service.Address
	sealed := message.Seal(service.Keys.Current.Message, time.Now(), m)
	for _, each := range to {
		if socket := c.socketFor(each.Addr()); socket != nil {
			_, _ = socket.WriteToUDPAddrPort(sealed, each)
		}
	}
}

// Listens returns where replicas reach the companion.
func (c *Companion) Listens() netip.AddrPort {
	return c.socket.LocalAddr().(*net.UDPAddr).AddrPort()
}

// Began adds a session that the program doesn't see, because its replies leave by another interface.
func (c *Companion) Began(service netip.AddrPort, id [message.IDBytes]byte) {
	if own := c.serviceAt(service); own != nil {
		c.learn(own, id)
	}
}

// socketFor returns the socket of an address's family. One companion serves services of both families, and
// replicas of each have their own address.
func (c *Companion) socketFor(replica netip.Addr) *net.UDPConn {
	if own, ok := c.socket.LocalAddr().(*net.UDPAddr); ok && isIPv4(own.AddrPort().Addr()) == isIPv4(replica) {
		return c.socket
	}
	return c.other
}

// openOther opens a socket of the family that an address doesn't have. Nothing is received there.
func openOther(listen netip.Addr) *net.UDPConn {
	network := "udp4"
	if isIPv4(listen) {
		network = "udp6"
	}
	socket, err := net.ListenUDP(network, nil)
	if err != nil {
		return nil // the namespace lacks the family, so no replica of it can be reached
	}
	message.RoomToSend(socket)
	return socket
}

func isIPv4(address netip.Addr) bool { return address.Unmap().Is4() }

// follow reports what the program sees, until the events are closed.
func (c *Companion) follow() {
	for {
		event := new(program.SessionCompanionEvent)
		if !c.events.Next(event) {
			return
		}
		key := program.FlowKey{ClientPort: event.Key.ClientPort, ServicePort: event.Key.ServicePort, Protocol: event.Key.Protocol}
		key.Client.Word, key.Service.Word = event.Key.Client.Word, event.Key.Service.Word
		flow := bpf.FlowOf(key)
		service := c.serviceAt(netip.AddrPortFrom(flow.Service.Address, flow.Service.Port))
		if service == nil {
			continue
		}
		switch event.Kind {
		case program.SessionCompanionEventKindSESSION_LEARNT:
			c.learn(service, event.Id)
		case program.SessionCompanionEventKindNOT_MINE:
			c.send(service, message.Message{Kind: message.HasNot, Client: flow.Client}, service.Replicas...)
		}
	}
}
