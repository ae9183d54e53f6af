package session_test

import (
	"crypto/tls"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func TestClientsReturnToTheirBackend(t *testing.T) {
	l := newLab(t, datapath.Direct, nginx)
	l.returns(t, 0, tls.VersionTLS13, 20, 3)
}
