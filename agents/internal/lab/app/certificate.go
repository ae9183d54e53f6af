package app

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"
)

// certify creates a self-signed certificate: clients in a lab check only the name.
func certify(name string) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("create a key: %w", err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(10, 0, 0),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("create a certificate: %w", err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}

// clientConfig accepts only the server whose name the server name begins with. Without a server name it
// accepts any server. Sessions may be nil.
func clientConfig(serverName string, sessions tls.ClientSessionCache) *tls.Config {
	wanted, _, _ := strings.Cut(serverName, ".")
	return &tls.Config{
		ClientSessionCache: sessions,
		ServerName:         serverName, InsecureSkipVerify: true, // self-signed; VerifyConnection checks the name
		VerifyConnection: func(state tls.ConnectionState) error {
			if len(state.PeerCertificates) == 0 {
				return errors.New("the server has no certificate")
			}
			if got := state.PeerCertificates[0].Subject.CommonName; serverName != "" && got != wanted {
				return fmt.Errorf("requested %s, but %s answered", wanted, got)
			}
			return nil
		},
	}
}
