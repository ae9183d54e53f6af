package stability

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/bench/benchlab"
	"fairlead.dev/agents/internal/lab"
	"fairlead.dev/agents/internal/lab/topology"
	"fairlead.dev/agents/internal/netspace"
)

// protocol is the transport protocol of one of the scenario's services.
type protocol struct {
	serve  topology.Serve
	number uint8
	flag   string // option of ss
}

var protocols = []protocol{{topology.TCP, unix.IPPROTO_TCP, "-t"}, {topology.UDP, unix.IPPROTO_UDP, "-u"}}

// socket is a client's end of one connection or flow.
type socket struct {
	own, to netip.AddrPort
	waits   bool // has unacknowledged data
}

// sockets are the client's open sockets.
func sockets(ctx context.Context, l *benchlab.Lab, client string, p protocol) (found []socket, err error) {
	space, err := netspace.Open(lab.SpaceName(l.Name, client))
	if err != nil {
		return nil, err
	}
	text, err := space.Run(ctx, "ss", "-Hn", p.flag, "state", "established")
	if err = errors.Join(err, space.Close()); err != nil {
		return nil, err
	}
	for line := range strings.Lines(text) {
		one, err := parseSocket(line)
		if err != nil {
			return nil, fmt.Errorf("read the sockets of %s: %w", client, err)
		}
		found = append(found, one)
	}
	return found, nil
}

// parseSocket parses a line of ss: receive queue, send queue, local address, peer address.
func parseSocket(line string) (one socket, err error) {
	fields := strings.Fields(line)
	if len(fields) < 4 {
		return one, fmt.Errorf("%q is no socket", line)
	}
	one.waits = fields[1] != "0"
	if one.own, err = netip.ParseAddrPort(fields[2]); err != nil {
		return one, err
	}
	one.to, err = netip.ParseAddrPort(fields[3])
	return one, err
}

// follow reads the router's next hop of each flow.
func follow(l *benchlab.Lab, client string, p protocol, all []socket) (found flows, err error) {
	router, err := netspace.Open(lab.SpaceName(l.Name, topology.Router))
	if err != nil {
		return nil, err
	}
	defer router.Close()
	link, err := router.Links().LinkByName(client)
	if err != nil {
		return nil, fmt.Errorf("find the router's end of %s's cable: %w", client, err)
	}
	found = flows{}
	return found, router.Do(func() error {
		for _, one := range all {
			if found[one.own], err = nextHopOf(p.number, one.own, one.to, link.Attrs().Index); err != nil {
				return err
			}
		}
		return nil
	})
}
