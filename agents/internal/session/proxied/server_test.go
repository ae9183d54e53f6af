package proxied

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"slices"
	"testing"
	"time"
)

// serverOf starts a server whose tickets begin with a name. It sends a byte and closes.
func serverOf(t *testing.T, version uint16, name string) (address string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"a.test"}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	sealing := &tls.Config{}
	sealing.SetSessionTicketKeys([][32]byte{{1}})
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{
		MaxVersion: version, Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}},
		WrapSession: func(state tls.ConnectionState, session *tls.SessionState) ([]byte, error) {
			ticket, err := sealing.EncryptTicket(state, session)
			return slices.Concat([]byte(name), ticket), err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Write([]byte{1})
			_ = conn.Close()
		}
	}()
	return listener.Addr().String()
}
