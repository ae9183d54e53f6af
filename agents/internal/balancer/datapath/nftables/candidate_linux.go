package nftables

import (
	"errors"
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
)

var deliveries = []datapath.Delivery{datapath.Direct, datapath.NAT}

// Candidate is this engine.
func Candidate() datapath.Candidate {
	return datapath.Candidate{Name: "nftables", Deliveries: deliveries, Preflight: preflight, Open: open}
}

// preflight adds a service in a table of its own without a hook, and deletes it again.
func preflight(options datapath.Options) error {
	if _, err := net.InterfaceByName(options.Interface); err != nil {
		return fmt.Errorf("nftables: interface %q doesn't exist: %w; name the one where packets of clients arrive", options.Interface, err)
	}
	s, err := openSocket()
	if err != nil {
		return fmt.Errorf("nftables: %w", err)
	}
	e := newEngine(options, s)
	defer s.close()
	err = e.rehearse()
	switch {
	case errors.Is(err, unix.EPERM):
		return fmt.Errorf("nftables: changing packet filters isn't allowed here; give the agent CAP_NET_ADMIN, or a user namespace of its own")
	case errors.Is(err, unix.EPROTONOSUPPORT), errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.ENOENT), errors.Is(err, unix.EAFNOSUPPORT):
		return fmt.Errorf("nftables: this kernel can't forward packets at ingress (%w); it needs CONFIG_NF_TABLES_NETDEV, CONFIG_NFT_FWD_NETDEV and CONFIG_NFT_HASH", err)
	case err != nil:
		return fmt.Errorf("nftables: %w", err)
	}
	return nil
}

// rehearsed is a table that is deleted with this socket, so that a killed process leaves
// none.
func (e *Engine) rehearsed() table {
	return table{family: unix.NFPROTO_NETDEV, name: e.directTable.name + "_preflight", ours: true}
}

// rehearse adds everything but the hook, and deletes it.
func (e *Engine) rehearse() error {
	t := e.rehearsed()
	base, err := e.directBase(t, e.options.Interface)
	if err != nil {
		return err
	}
	p, err := e.directService(t, &rehearsal, 1)
	if err != nil {
		return err
	}
	if err := e.socket.commit([]message{t.add()}); err != nil {
		return err
	}
	var messages []message
	for _, item := range append(base, p.items...) {
		if !item.base {
			messages = append(messages, item.add...)
		}
	}
	return errors.Join(e.send(messages), e.socket.commit([]message{t.remove()}))
}

var rehearsal = datapath.Service{
	Key: datapath.Key{Address: documentation, Port: 9, Protocol: datapath.TCP}, Delivery: datapath.Direct,
	Backends: []datapath.Backend{{ID: "rehearsal", Address: documentation, Port: 9, Weight: 1, State: datapath.Active, Up: true}},
}

// canForward returns an error unless NAT, which forwards packets by routing, is permitted
// to.
func canForward(six bool) error {
	family := "ipv4"
	if six {
		family = "ipv6"
	}
	path := "/proc/sys/net/" + family + "/conf/all/forwarding"
	setting, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read whether packets may be forwarded: %w", err)
	}
	if len(setting) == 0 || setting[0] == '0' {
		return fmt.Errorf("delivery %q needs forwarding, which is off here; set net.%s.conf.all.forwarding to 1 for this pod, or choose delivery %q", datapath.NAT, family, datapath.Direct)
	}
	return nil
}
