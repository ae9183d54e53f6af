package controlplane

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"time"
)

// serverName is in the control plane's certificate whatever its address, so it may move behind any
// name, balancer or tunnel.
const serverName = "fairlead-gateway"

// DialFunc opens a connection; tests replace it with their own network.
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

func newTransport(dial DialFunc, config *tls.Config) *http.Transport {
	if dial == nil {
		dial = (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 15 * time.Second}).DialContext
	}
	config.ServerName = serverName
	config.MinVersion = tls.VersionTLS12
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         dial,
		TLSClientConfig:     config,
		TLSHandshakeTimeout: 10 * time.Second,
		ForceAttemptHTTP2:   true,
		IdleConnTimeout:     2 * time.Minute,
		// Closes a connection whose other end vanished, so that the next call connects again
		// instead of waiting for it.
		HTTP2: &http.HTTP2Config{SendPingTimeout: 20 * time.Second, PingTimeout: 15 * time.Second},
	}
}

// trusting verifies the server against the identity's CA, and presents the identity's certificate.
func trusting(identity *Identity) *tls.Config {
	roots := x509.NewCertPool()
	roots.AddCert(identity.Authority)
	return &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{identity.tlsCertificate()}}
}

// pinning verifies a server by its CA's fingerprint.
func pinning(fingerprint [32]byte) *tls.Config {
	return &tls.Config{
		// The usual check needs the CA in advance; verifyPinned below is stricter, not weaker.
		InsecureSkipVerify: true,
		VerifyConnection: func(state tls.ConnectionState) error {
			return verifyPinned(state.PeerCertificates, fingerprint)
		},
	}
}

// verifyPinned accepts a chain whose leaf is issued, directly or not, by the CA certificate with that
// fingerprint. The CA certificate is public, so the leaf also has to verify against it.
func verifyPinned(chain []*x509.Certificate, fingerprint [32]byte) error {
	if len(chain) == 0 {
		return ErrAuthority
	}
	roots, intermediates := x509.NewCertPool(), x509.NewCertPool()
	found := false
	for _, certificate := range chain[1:] {
		if sha256.Sum256(certificate.Raw) == fingerprint {
			roots.AddCert(certificate)
			found = true
			continue
		}
		intermediates.AddCert(certificate)
	}
	if !found {
		return ErrAuthority
	}
	_, err := chain[0].Verify(x509.VerifyOptions{
		DNSName: serverName, Roots: roots, Intermediates: intermediates,
		KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})
	if clockWrong(err) {
		return err // temporary: the wrong clock, ours or the control plane's, will be corrected
	}
	if err != nil {
		return fmt.Errorf("%w (%w)", ErrAuthority, err)
	}
	return nil
}
