package flows

import (
	"crypto/tls"
	"net"
	"slices"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// Scopes are the agents that carry a service. Flows of a service without a scope are sent to all
// peers: it may be one that leaves, or the control plane may be older.
type Scopes map[datapath.Key][]string

// shares reports whether an agent gets the flows of a service. Without TLS, agents are unknown and
// get all.
func (s Scopes) shares(key datapath.Key, agentID string) bool {
	agents, scoped := s[key]
	return !scoped || agentID == "" || slices.Contains(agents, agentID)
}

// adds reports whether an agent gets more flows than before.
func (s Scopes) adds(before Scopes, agentID string) bool {
	for key := range before {
		if !before.shares(key, agentID) && s.shares(key, agentID) {
			return true
		}
	}
	return false
}

// SetScopes replaces the scopes of all services. A peer that now carries a service gets the full set
// again, because it lacks the flows so far, and those that this replica received, because it may
// replace the one that placed them.
func (e *Exchange) SetScopes(scopes Scopes) {
	e.mu.Lock()
	defer e.mu.Unlock()
	before := e.scopes
	e.scopes = scopes
	for t := range e.subscribers {
		if scopes.adds(before, t.agentID) {
			t.gained.Store(true)
			t.requestResend()
		}
	}
}

// sharedWith returns the flows that a peer gets.
func (e *Exchange) sharedWith(t *subscriber, all []datapath.Flow) []datapath.Flow {
	e.mu.Lock()
	scopes := e.scopes
	e.mu.Unlock()
	if len(scopes) == 0 {
		return all
	}
	shared := make([]datapath.Flow, 0, len(all))
	for _, flow := range all {
		if scopes.shares(flow.Service, t.agentID) {
			shared = append(shared, flow)
		}
	}
	return shared
}

// agentOf is the agent at the other end of an authenticated connection, or "" without TLS.
func agentOf(conn net.Conn) string {
	secured, isSecured := conn.(*tls.Conn)
	if !isSecured {
		return ""
	}
	return secured.ConnectionState().PeerCertificates[0].Subject.CommonName
}
