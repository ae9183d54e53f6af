package hello

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"slices"
	"testing"
	"time"

	"fairlead.dev/agents/internal/tlstest"
)

// tlsServer is Go's server, which reports what it finds in hellos.
type tlsServer struct {
	config   *tls.Config
	info     tls.ClientHelloInfo // of the last hello
	offered  [][]byte            // tickets or identities, in the order in which it tried them
	resumed  bool
	received []byte // by the server from the client
	answered []byte // by the server to the client
}

func newServer(t testing.TB, version uint16) *tlsServer {
	t.Helper()
	s := &tlsServer{}
	s.config = &tls.Config{
		Certificates: []tls.Certificate{tlstest.Certificate(t, "a.example")}, MaxVersion: version, NextProtos: []string{"h2"},
		GetConfigForClient: func(info *tls.ClientHelloInfo) (*tls.Config, error) {
			s.info = *info
			return nil, nil
		},
	}
	s.config.UnwrapSession = func(identity []byte, state tls.ConnectionState) (*tls.SessionState, error) {
		s.offered = append(s.offered, bytes.Clone(identity))
		return s.config.DecryptTicket(identity, state)
	}
	return s
}

// taped records what a server receives and answers.
type taped struct {
	net.Conn
	server *tlsServer
}

func (c taped) Read(into []byte) (int, error) {
	size, err := c.Conn.Read(into)
	c.server.received = append(c.server.received, into[:size]...)
	return size, err
}

func (c taped) Write(from []byte) (int, error) {
	c.server.answered = append(c.server.answered, from...)
	return c.Conn.Write(from)
}

// serve handles one connection of a client. The byte makes the client read its tickets.
func (s *tlsServer) serve(t testing.TB, config *tls.Config) {
	t.Helper()
	s.offered, s.received, s.answered = nil, nil, nil
	near, far := connected(t)
	done := make(chan error, 1)
	go func() {
		server := tls.Server(taped{far, s}, s.config)
		_, err := server.Write([]byte{1})
		s.resumed = server.ConnectionState().DidResume
		_ = server.Close() // fails if the client is gone
		done <- err
	}()
	client := tls.Client(near, config)
	_, err := io.ReadFull(client, make([]byte, 1))
	client.Close()
	if err := errors.Join(err, <-done); err != nil {
		t.Fatal(err)
	}
}

// connected returns both ends of a TCP connection.
func connected(t testing.TB) (client, server *net.TCPConn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	near, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	far, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	for _, end := range []net.Conn{near, far} {
		_ = end.SetDeadline(time.Now().Add(10 * time.Second))
		t.Cleanup(func() { end.Close() })
	}
	return near.(*net.TCPConn), far.(*net.TCPConn)
}

func returning() *tls.Config {
	return &tls.Config{
		ServerName: "a.example", InsecureSkipVerify: true, NextProtos: []string{"h2", "http/1.1"},
		ClientSessionCache: tls.NewLRUClientSessionCache(1),
	}
}

// resumedHello returns the hello of a client that returns to a server.
func resumedHello(t testing.TB, version uint16) []byte {
	t.Helper()
	server, client := newServer(t, version), returning()
	server.serve(t, client)
	server.serve(t, client)
	h, err := Parse(server.received, Most)
	if err != nil || !server.resumed {
		t.Fatalf("%v, resumed: %v", err, server.resumed)
	}
	return server.received[:h.Size]
}

// The server's own view of each hello is the reference: which ticket it opened, which
// session id it echoed, and which name and protocols it read.
func TestAReturningClientIsIdentifiedAsItsServerDoes(t *testing.T) {
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		t.Run(tls.VersionName(version), func(t *testing.T) {
			server, client := newServer(t, version), returning()
			for visit := range 4 {
				server.serve(t, client)
				h, err := Parse(server.received, Most)
				if err != nil {
					t.Fatal(err)
				}
				got := contentOf(h)
				if got.Name != server.info.ServerName || !slices.Equal(got.Protocols, server.info.SupportedProtos) {
					t.Errorf("visit %d: %+v, and the server read %+v", visit, got, server.info)
				}
				var offered []string
				for _, each := range server.offered {
					if len(each) > 0 { // it also tries an empty ticket
						offered = append(offered, string(each))
					}
				}
				found := got.Identities
				if version == tls.VersionTLS12 && got.Ticket != "" {
					found = []string{got.Ticket}
				}
				if server.resumed != (visit > 0) || len(found) != min(visit, 1) || !slices.Equal(found, offered) {
					t.Errorf("visit %d: %x, and the server tried %x, resumed: %v", visit, found, offered, server.resumed)
				}
				if echo := sessionIDOf(server.answered); (server.resumed || version == tls.VersionTLS13) && (len(echo) == 0 || !bytes.Equal(echo, h.SessionID)) {
					t.Errorf("visit %d: session %x, and the server echoed %x", visit, h.SessionID, echo)
				}
			}
		})
	}
}

// sessionIDOf returns the session id in a server's hello.
func sessionIDOf(answer []byte) []byte {
	rest := cursor{answer}
	_, _ = rest.take(recordHeader + messageHeader + 2 + randomBytes)
	session, _ := rest.vector(1)
	return session.left
}
