package proxied

import (
	"crypto/tls"
	"slices"
	"testing"

	"fairlead.dev/agents/internal/tlstest"
)

// serverOf starts a server whose tickets begin with a name. It sends a byte and closes.
func serverOf(t *testing.T, version uint16, name string) (address string) {
	t.Helper()
	sealing := &tls.Config{}
	sealing.SetSessionTicketKeys([][32]byte{{1}})
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{
		MaxVersion: version, Certificates: []tls.Certificate{tlstest.Certificate(t, "a.test")},
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
