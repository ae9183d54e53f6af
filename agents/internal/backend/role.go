package backend

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/session/cookie"
)

// RoleName is the name of this role on the command line and in the protocol.
const RoleName = "backend"

// Limits of one agent.
const (
	serversMost  = 1000
	replicasMost = 256 // of one server
	textMost     = 253 // of an ID or a name
	numberMost   = 127

	lifetimeMost = 7 * 24 * time.Hour // as of a service of balancers
)

// Desired is the complete state of the role.
type Desired struct {
	On       bool
	Servers  []Server       // sorted
	Rejected []Rejected     // of the config
	Former   map[key]string // servers that continue as before, because their spec is invalid; with the reason, as a sentence
}

// Server takes connections by session.
type Server struct {
	Backend       string // its ID
	LoadBalancer  string
	Instance      string
	Own           netip.Addr     // of its network namespace
	Service       netip.AddrPort // that clients connect to
	Number        uint8
	Keys          cookie.Set
	Replicas      []netip.AddrPort
	Lifetime      time.Duration // of session ids; 0: a day
	Tickets       *Tickets      // nil: the server has keys of its own
	TicketProblem string        // why the newest Tickets can't be used, as a sentence
}

// key distinguishes servers.
type key struct {
	own     netip.Addr
	service netip.AddrPort
}

func (s *Server) key() key { return key{s.Own, s.Service} }

// ParseDesired parses the role's part of a config. An invalid server is only listed, with field and fix, so that the
// others continue; an error rejects the whole config.
func ParseDesired(config *agentv1.NodeConfig) (Desired, error) {
	role := config.GetBackend()
	if role == nil {
		return Desired{}, nil
	}
	if got := len(role.GetServers()); got > serversMost {
		return Desired{}, fmt.Errorf("%d servers are too many for one agent; give at most %d", got, serversMost)
	}
	desired := Desired{On: true}
	desired.Servers, desired.Rejected = parseServers(role.GetServers())
	sortServers(desired.Servers)
	return desired, nil
}

func sortServers(servers []Server) {
	slices.SortFunc(servers, func(a, b Server) int {
		return cmp.Or(a.Own.Compare(b.Own), a.Service.Compare(b.Service))
	})
}

// nameOf names a server in an error.
func nameOf(i int, server *agentv1.BackendServer) string {
	name := fmt.Sprintf("server %q", cmp.Or(server.GetBackendId(), fmt.Sprintf("number %d", i+1)))
	if server.GetLoadBalancerId() != "" {
		name += " of load balancer " + server.GetLoadBalancerId()
	}
	return name
}

func parseServer(server *agentv1.BackendServer) (parsed Server, err error) {
	parsed = Server{Backend: server.GetBackendId(), LoadBalancer: server.GetLoadBalancerId(), Instance: server.GetInstance()}
	if parsed.Backend == "" {
		return parsed, errors.New("the backend's ID is missing; give the one that balancers have")
	}
	for _, text := range []string{parsed.Backend, parsed.LoadBalancer, parsed.Instance} {
		if len(text) > textMost {
			return parsed, fmt.Errorf("an ID or name of %d bytes is too long; give at most %d", len(text), textMost)
		}
	}
	if parsed.Own, err = parseAddress("own address", server.GetOwnAddress()); err != nil {
		return parsed, err
	}
	address, err := parseAddress("address", server.GetAddress())
	if err != nil {
		return parsed, err
	}
	if address == parsed.Own {
		return parsed, fmt.Errorf("address %s is the instance's own; give the one that clients connect to", address)
	}
	if port := server.GetPort(); port == 0 || port > 65535 {
		return parsed, fmt.Errorf("port %d can't be connected to; give 1 to 65535", port)
	}
	parsed.Service = netip.AddrPortFrom(address, uint16(server.GetPort()))
	if number := server.GetNumber(); number == 0 || number > numberMost {
		return parsed, fmt.Errorf("number %d is out of range; give 1 to %d", number, numberMost)
	}
	parsed.Number = uint8(server.GetNumber())
	if parsed.Keys, err = cookie.Unpack(server.GetKeys().GetCurrent(), server.GetKeys().GetPrevious()); err != nil {
		return parsed, err
	}
	if parsed.Replicas, err = parseReplicas(server.GetReplicas()); err != nil {
		return parsed, err
	}
	if parsed.Lifetime = time.Duration(server.GetTicketSeconds()) * time.Second; parsed.Lifetime > lifetimeMost {
		return parsed, fmt.Errorf("ticket_seconds %d is too long; give at most %d", server.GetTicketSeconds(), lifetimeMost/time.Second)
	}
	tickets, err := parseTickets(server.GetTicketKeys(), parsed.Instance)
	if err != nil { // it takes connections anyway
		parsed.TicketProblem = sentence(err)
	}
	parsed.Tickets = tickets
	return parsed, nil
}

func parseAddress(field, text string) (netip.Addr, error) {
	if text == "" {
		return netip.Addr{}, fmt.Errorf("the %s is missing; give one IPv4 or IPv6 address", field)
	}
	address, err := netip.ParseAddr(text)
	if err != nil || address.Zone() != "" || address.IsUnspecified() {
		return netip.Addr{}, fmt.Errorf("the %s %q is invalid; give one IPv4 or IPv6 address, without prefix length or zone", field, text)
	}
	return address.Unmap(), nil
}

func parseReplicas(replicas []string) (parsed []netip.AddrPort, err error) {
	if len(replicas) > replicasMost {
		return nil, fmt.Errorf("%d replicas are too many; give at most %d", len(replicas), replicasMost)
	}
	for _, text := range replicas {
		where, err := netip.ParseAddrPort(text)
		if err != nil || where.Port() == 0 || where.Addr().IsUnspecified() || where.Addr().Zone() != "" {
			return nil, fmt.Errorf("the replica %q is invalid; give an IP address and a port, as in 10.0.0.2:7447 or [fd00::2]:7447", text)
		}
		parsed = append(parsed, netip.AddrPortFrom(where.Addr().Unmap(), where.Port()))
	}
	slices.SortFunc(parsed, netip.AddrPort.Compare)
	return slices.Compact(parsed), nil
}
