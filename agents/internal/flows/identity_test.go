package flows

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"testing"
	"time"
)

func TestOnlyPeersWithTheirOwnCertificateExchangeFlows(t *testing.T) {
	ours, theirs := newAuthority(t), newAuthority(t)
	for _, test := range []struct {
		name          string
		first, second func() (*Identity, error)
		firstIs       string // name that the second expects
		received      bool
	}{
		{"peers", ours.agent(t, "agent_1"), ours.agent(t, "agent_2"), "agent_1", true},
		{"an impostor", ours.agent(t, "agent_3"), ours.agent(t, "agent_2"), "agent_1", false},
		{"an unknown agent subscribes", ours.agent(t, "agent_1"), ours.agent(t, "agent_4"), "agent_1", false},
		{"another authority", ours.agent(t, "agent_1"), theirs.agent(t, "agent_2"), "agent_1", false},
		{"no certificate", ours.agent(t, "agent_1"), nil, "agent_1", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel() // it mostly waits
			first := newReplica(t, "127.0.0.1:0", test.first, samples[0])
			first.SetPeers([]Peer{{"agent_2", "127.0.0.1:1"}})
			second := newReplica(t, "127.0.0.1:0", test.second)
			second.SetPeers([]Peer{{test.firstIs, first.Address()}})
			if test.received {
				until(t, "full set", second.knows(samples[0]))
				return
			}
			until(t, "end of waiting", second.ReceivedAll)
			if second.knows(samples[0])() {
				t.Fatal("learnt from a peer it must reject")
			}
		})
	}
}

type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{}
	a.certificate, a.key = sign(t, nil, &x509.Certificate{
		Subject: pkix.Name{CommonName: "CA"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	})
	return a
}

func (a *authority) agent(t *testing.T, name string) func() (*Identity, error) {
	t.Helper()
	leaf, key := sign(t, a, &x509.Certificate{
		Subject: pkix.Name{CommonName: name}, KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	})
	return func() (*Identity, error) {
		return &Identity{Certificate: tls.Certificate{Certificate: [][]byte{leaf.Raw}, PrivateKey: key}, Authority: a.certificate}, nil
	}
}

func sign(t *testing.T, by *authority, template *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template.SerialNumber, template.NotBefore, template.NotAfter = big.NewInt(1), time.Now().Add(-time.Minute), time.Now().Add(time.Hour)
	parent, signer := template, key
	if by != nil {
		parent, signer = by.certificate, by.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(fmt.Errorf("parse: %w", err))
	}
	return certificate, key
}
