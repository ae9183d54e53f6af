package pump

import (
	"bytes"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// joined returns a client and a server, and the sizes that passed between them. Their
// connections are joined until both have ended.
func joined(t *testing.T) (client, server *net.TCPConn, fromClient, fromServer *atomic.Int64) {
	t.Helper()
	client, front := connected(t)
	back, server := connected(t)
	fromClient, fromServer = new(atomic.Int64), new(atomic.Int64)
	done := make(chan struct{})
	go func() {
		defer close(done)
		Join(front, back, func(bytes int) { fromClient.Add(int64(bytes)) }, func(bytes int) { fromServer.Add(int64(bytes)) })
	}()
	t.Cleanup(func() {
		Reset(client)
		Reset(server)
		<-done
	})
	return client, server, fromClient, fromServer
}

// connected returns both ends of a TCP connection.
func connected(t *testing.T) (client, server *net.TCPConn) {
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
		_ = end.SetDeadline(time.Now().Add(30 * time.Second))
		t.Cleanup(func() { end.Close() })
	}
	return near.(*net.TCPConn), far.(*net.TCPConn)
}

func TestEitherSideMayEndItsDirectionFirst(t *testing.T) {
	client, server, fromClient, fromServer := joined(t)
	if _, err := io.WriteString(client, "question"); err != nil {
		t.Fatal(err)
	}
	_ = client.CloseWrite()
	if got, err := io.ReadAll(server); string(got) != "question" || err != nil {
		t.Fatalf("the server received %q, %v", got, err)
	}
	if _, err := io.WriteString(server, "an answer"); err != nil {
		t.Fatal(err)
	}
	server.Close()
	if got, err := io.ReadAll(client); string(got) != "an answer" || err != nil {
		t.Fatalf("the client received %q, %v", got, err)
	}
	if fromClient.Load() != 8 || fromServer.Load() != 9 {
		t.Errorf("counted %d and %d bytes", fromClient.Load(), fromServer.Load())
	}
}

func TestAResetOfOneConnectionResetsTheOther(t *testing.T) {
	client, server, _, _ := joined(t)
	Reset(server)
	if _, err := client.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the client received %v", err)
	}
}

// Long streams are spliced, short ones copied, and a stream switches when it pauses.
func TestALongStreamArrivesWholeWhateverItsPace(t *testing.T) {
	client, server, _, fromServer := joined(t)
	block := make([]byte, 1<<20)
	for i := range block {
		block[i] = byte(i*7 + i>>8)
	}
	const blocks = 24
	go func() {
		defer server.CloseWrite()
		for i := range blocks {
			if i%8 == 7 {
				// Long enough for splicing to stop: the client requests more.
				if _, err := io.ReadFull(server, make([]byte, 4)); err != nil {
					return
				}
			}
			if _, err := server.Write(block); err != nil {
				return
			}
		}
	}()
	got := make([]byte, len(block))
	for i := range blocks {
		if i%8 == 7 {
			timer := time.NewTimer(2 * bulkTime) // the pause is under test
			<-timer.C
			if _, err := io.WriteString(client, "more"); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := io.ReadFull(client, got); err != nil || !bytes.Equal(got, block) {
			t.Fatalf("block %d of %d: %v", i, blocks, err)
		}
	}
	if rest, err := io.ReadAll(client); len(rest) != 0 || err != nil {
		t.Fatalf("%d bytes too many, %v", len(rest), err)
	}
	if fromServer.Load() != blocks<<20 {
		t.Errorf("counted %d bytes", fromServer.Load())
	}
}
