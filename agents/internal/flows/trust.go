package flows

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
)

// Identity is the agent's own certificate and the authority that peers must be signed by.
// It is loaded for each connection, because certificates are renewed.
type Identity struct {
	Certificate tls.Certificate
	Authority   *x509.Certificate
}

// secureAsServer accepts only configured peers.
func (e *Exchange) secureAsServer(conn net.Conn) (net.Conn, error) {
	if e.options.Identity == nil {
		return conn, nil
	}
	identity, err := e.options.Identity()
	if err != nil {
		return nil, fmt.Errorf("load this replica's identity: %w", err)
	}
	secured := tls.Server(conn, &tls.Config{
		MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{identity.Certificate},
		ClientAuth: tls.RequireAnyClientCert,
		VerifyConnection: func(state tls.ConnectionState) error {
			name, err := identity.verify(state)
			if err == nil && !e.trusts(name) {
				err = fmt.Errorf("agent %q isn't a peer of this replica", name)
			}
			return err
		},
	})
	return secured, secured.HandshakeContext(e.ctx)
}

// secureAsClient verifies that the other end is the configured peer.
func (e *Exchange) secureAsClient(conn net.Conn, peer Peer) (net.Conn, error) {
	if e.options.Identity == nil {
		return conn, nil
	}
	identity, err := e.options.Identity()
	if err != nil {
		return nil, fmt.Errorf("load this replica's identity: %w", err)
	}
	secured := tls.Client(conn, &tls.Config{
		MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{identity.Certificate},
		// Agents' certificates name agents, not hosts; verify checks that name.
		InsecureSkipVerify: true,
		VerifyConnection: func(state tls.ConnectionState) error {
			name, err := identity.verify(state)
			if err == nil && name != peer.AgentID {
				err = fmt.Errorf("agent %q answers at the address of peer %q", name, peer.AgentID)
			}
			return err
		},
	})
	return secured, secured.HandshakeContext(e.ctx)
}

// verify returns the name of the agent at the other end.
func (i *Identity) verify(state tls.ConnectionState) (name string, err error) {
	if len(state.PeerCertificates) == 0 {
		return "", errors.New("the other end sent no certificate")
	}
	roots := x509.NewCertPool()
	roots.AddCert(i.Authority)
	leaf := state.PeerCertificates[0]
	// Only agents have client certificates; the gateway's own is a server certificate.
	if _, err := leaf.Verify(x509.VerifyOptions{Roots: roots, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}); err != nil {
		return "", fmt.Errorf("the other end isn't an agent of this control plane: %w", err)
	}
	return leaf.Subject.CommonName, nil
}
