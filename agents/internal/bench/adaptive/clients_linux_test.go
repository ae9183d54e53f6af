package adaptive

import (
	"net"
	"testing"
	"time"
)

func TestAUserWhoseConnectionsAreRefusedWaitsBetweenThem(t *testing.T) {
	listener, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	closed := listener.Addr().(*net.TCPAddr).AddrPort()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	const length = 200 * time.Millisecond
	c := &clients{turnOrder: turnOrder{Subject: Ours, Service: closed, Users: 2, For: length, Start: time.Now()}}
	ended := make(chan error, 1)
	go func() { ended <- c.run() }()
	select {
	case err = <-ended:
	case <-time.After(patience):
		t.Fatalf("%d requests failed, and there is no end", len(c.result.Failures))
	}
	most := c.Users * (int(length/pollEvery) + 2)
	if count := len(c.result.Failures); err != nil || count < c.Users || count > most {
		t.Errorf("ended with %v after %d failures, want %d to %d", err, count, c.Users, most)
	}
}
