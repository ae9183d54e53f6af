package controlplane

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"fairlead.dev/agents/internal/atomicfile"
)

// pendingKeyFile keeps the key of an unfinished enrolment. If the answer is lost, the repeated
// request carries the same key, so that the control plane can distinguish a retry from a stolen
// token.
const pendingKeyFile = "enrolling.key"

func newKey() (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("generate the agent's key: %w", err)
	}
	return key, nil
}

func pendingKey(folder string) (*ecdsa.PrivateKey, error) {
	path := filepath.Join(folder, pendingKeyFile)
	if data, err := os.ReadFile(path); err == nil {
		if key, err := x509.ParseECPrivateKey(data); err == nil {
			return key, nil
		}
	}
	key, err := newKey()
	if err != nil {
		return nil, err
	}
	data, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("encode the agent's key: %w", err)
	}
	// Nothing may be sent before this: a token used with a key that can't be stored would be lost.
	if err := atomicfile.Write(path, data, 0o600); err != nil {
		return nil, fmt.Errorf("save the agent's key: %w", err)
	}
	return key, nil
}

func forgetPendingKey(folder string) error {
	err := os.Remove(filepath.Join(folder, pendingKeyFile))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("remove the enrolment's key: %w", err)
	}
	return nil
}

// certificateRequest contains only the key: the control plane decides the contents of the
// certificate.
func certificateRequest(key *ecdsa.PrivateKey, name string) ([]byte, error) {
	template := &x509.CertificateRequest{Subject: pkix.Name{CommonName: name}}
	request, err := x509.CreateCertificateRequest(rand.Reader, template, key)
	if err != nil {
		return nil, fmt.Errorf("create the certificate request: %w", err)
	}
	return request, nil
}
