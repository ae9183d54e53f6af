package backend

import (
	"cmp"
	"fmt"
	"strings"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// Rejected is a server of the config with an invalid spec. It continues as its last valid one, if it had one.
type Rejected struct {
	Backend, LoadBalancer string
	Reason                string // a clause
}

func (r Rejected) sentence() string {
	return "Its spec is invalid, so it continues as before: " + strings.TrimSuffix(r.Reason, ".") + "."
}

// status is the report about a server that never had a valid spec.
func (r Rejected) status() *agentv1.BackendServerStatus {
	return &agentv1.BackendServerStatus{BackendId: r.Backend, LoadBalancerId: r.LoadBalancer, Message: sentence(fmt.Errorf("its spec is invalid: %s", r.Reason))}
}

// parseServers returns the valid servers, unsorted, and the others with the reason.
func parseServers(specs []*agentv1.BackendServer) (servers []Server, rejected []Rejected) {
	seen := map[key]string{}
	for i, spec := range specs {
		parsed, err := parseServer(spec)
		if other, taken := seen[parsed.key()]; err == nil && taken {
			err = fmt.Errorf("%s has the same own address, address and port; remove one of them", other)
		}
		if err != nil {
			rejected = append(rejected, Rejected{cmp.Or(spec.GetBackendId(), fmt.Sprintf("number %d", i+1)), spec.GetLoadBalancerId(), err.Error()})
			continue
		}
		seen[parsed.key()] = nameOf(i, spec)
		servers = append(servers, parsed)
	}
	return servers, rejected
}

// after returns a spec in which servers with an invalid one are as in the former spec, and so are invalid ticket keys. No
// two servers have one key: a former server that conflicts with a valid one is left out.
func (d Desired) after(former Desired) Desired {
	taken, ids := map[key]bool{}, map[[2]string]*Server{}
	for i := range former.Servers {
		one := &former.Servers[i]
		ids[one.id()] = one
	}
	servers := make([]Server, 0, len(d.Servers)+len(d.Rejected))
	for _, one := range d.Servers {
		if was := ids[one.id()]; one.TicketProblem != "" && was != nil {
			one.Tickets = was.Tickets
		}
		taken[one.key()] = true
		servers = append(servers, one)
	}
	d.Former = map[key]string{}
	var others []Rejected
	for _, one := range d.Rejected {
		was := ids[[2]string{one.Backend, one.LoadBalancer}]
		if was == nil || taken[was.key()] {
			others = append(others, one)
			continue
		}
		taken[was.key()] = true
		d.Former[was.key()] = one.sentence()
		servers = append(servers, *was)
	}
	d.Servers, d.Rejected = servers, others
	sortServers(d.Servers)
	return d
}

// id distinguishes servers in the protocol. It stays when addresses change.
func (s *Server) id() [2]string { return [2]string{s.Backend, s.LoadBalancer} }

// sentence is an error as users read it.
func sentence(err error) string {
	text := strings.ReplaceAll(strings.TrimSuffix(err.Error(), "."), "\n", "; ")
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
