package peer

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"time"
)

// keyBits is RSA's size: of the common key types, RSA costs the signer most.
const keyBits = 2048

func certificateFile(folder string) string { return filepath.Join(folder, "certificate.pem") }

// prepare creates a peer's folder, with its TLS certificate.
func (k Kind) prepare(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("create a folder for %s: %w", k.Name, err)
	}
	if !k.TLS {
		return nil
	}
	if err := WriteCertificate(certificateFile(folder)); err != nil {
		return fmt.Errorf("create a certificate for %s: %w", k.Name, err)
	}
	return nil
}

// WriteCertificate writes a key and a self-signed certificate into one file.
func WriteCertificate(path string) error {
	key, err := rsa.GenerateKey(rand.Reader, keyBits)
	if err != nil {
		return err
	}
	now := time.Now()
	made := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "bench"}, DNSNames: []string{"bench"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(24 * time.Hour),
	}
	signed, err := x509.CreateCertificate(rand.Reader, made, made, &key.PublicKey, key)
	if err != nil {
		return err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(
		pem.Encode(file, &pem.Block{Type: "CERTIFICATE", Bytes: signed}),
		pem.Encode(file, &pem.Block{Type: "PRIVATE KEY", Bytes: secret}),
		file.Close())
}
