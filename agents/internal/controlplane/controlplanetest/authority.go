package controlplanetest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"math/big"
	"testing"
	"time"
)

// authority is a CA and its certificates.
type authority struct {
	t           testing.TB
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	serial      int64
}

func newAuthority(t testing.TB) *authority {
	t.Helper()
	a := &authority{t: t, key: newKey(t)}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Fairlead CA"},
		NotBefore: time.Now().Add(-time.Minute), NotAfter: time.Now().AddDate(10, 0, 0),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	a.certificate = a.sign(template, template, a.key.Public())
	a.serial = 1
	return a
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func (a *authority) sign(template, parent *x509.Certificate, public any) *x509.Certificate {
	der, err := x509.CreateCertificate(rand.Reader, template, parent, public, a.key)
	if err != nil {
		a.t.Error(err)
		return template
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		a.t.Error(err)
	}
	return certificate
}

// server returns the gateway's certificate and the CA.
func (a *authority) server() tls.Certificate {
	key := newKey(a.t)
	leaf := a.sign(&x509.Certificate{
		SerialNumber: a.nextSerial(), Subject: pkix.Name{CommonName: "fairlead-gateway"},
		DNSNames:  []string{"fairlead-gateway"},
		NotBefore: time.Now().Add(-time.Minute), NotAfter: time.Now().AddDate(1, 0, 0),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, a.certificate, key.Public())
	return tls.Certificate{Certificate: [][]byte{leaf.Raw, a.certificate.Raw}, PrivateKey: key}
}

// client signs an agent's request.
func (a *authority) client(request []byte, life time.Duration) (*x509.Certificate, error) {
	parsed, err := x509.ParseCertificateRequest(request)
	if err != nil {
		return nil, err
	}
	if err := parsed.CheckSignature(); err != nil {
		return nil, err
	}
	return a.sign(&x509.Certificate{
		SerialNumber: a.nextSerial(), Subject: pkix.Name{CommonName: "agent_1"},
		NotBefore: time.Now().Add(-time.Second), NotAfter: time.Now().Add(life),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}, a.certificate, parsed.PublicKey), nil
}

func (a *authority) nextSerial() *big.Int {
	a.serial++
	return big.NewInt(a.serial)
}

// token creates an enrolment token.
func (a *authority) token(id, secret string) string {
	fingerprint := sha256.Sum256(a.certificate.Raw)
	payload, err := json.Marshal(map[string]string{"i": id, "s": secret, "ca": hex.EncodeToString(fingerprint[:])})
	if err != nil {
		a.t.Fatal(err)
	}
	return "fl1_" + base64.RawURLEncoding.EncodeToString(payload)
}
