package hello

import (
	"errors"
	"net"
	"os"
	"testing"
	"time"
)

// waitEnded reports whether a client's wait was ended, by its deadline.
func waitEnded(conn net.Conn) bool {
	_, err := conn.Read(make([]byte, 1))
	return errors.Is(err, os.ErrDeadlineExceeded)
}

func TestAFloodOfOneOwnerEndsItsOwnOldestClient(t *testing.T) {
	w := Waiting[string]{Most: 3}
	enter := func(owner string) (*Visit[string], net.Conn) {
		client, far := net.Pipe()
		t.Cleanup(func() { client.Close(); far.Close() })
		return w.Enter(owner, client, time.Hour), client
	}
	quiet, _ := enter("quiet")
	oldest, ended := enter("flooded")
	newer, _ := enter("flooded")
	newest, _ := enter("flooded")
	if !waitEnded(ended) || w.Leave(oldest) || w.Len() != 3 {
		t.Errorf("%d wait", w.Len())
	}
	for _, visit := range []*Visit[string]{quiet, newer, newest} {
		if !w.Leave(visit) {
			t.Errorf("a client of %q was ended", visit.owner)
		}
	}
	if w.Len() != 0 {
		t.Errorf("%d wait after all have left", w.Len())
	}
}

func TestClearEndsTheClientsOfOneOwner(t *testing.T) {
	w := Waiting[string]{Most: 9}
	client, far := net.Pipe()
	defer client.Close()
	defer far.Close()
	closing, other := w.Enter("closing", client, time.Hour), w.Enter("other", far, time.Hour)
	w.Clear("closing")
	if !waitEnded(client) || w.Leave(closing) || !w.Leave(other) {
		t.Error("the wrong clients were ended")
	}
}
