package flows

import (
	"errors"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"testing"
)

func TestAnAddressInUseIsReportedUntilItIsFree(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	e := New(Options{Listen: At(listener.Addr().String()), Log: slog.New(slog.DiscardHandler)}, Engine{})
	defer e.Close()
	until(t, "trouble", func() bool { return e.Trouble() != "" })
	listener.Close()
	until(t, "address", func() bool { return e.Address() == listener.Addr().String() && e.Trouble() == "" })
}

func TestAnAddressThatAppearsLaterAndMovesIsFollowed(t *testing.T) {
	var at atomic.Pointer[string]
	e := New(Options{Log: slog.New(slog.DiscardHandler), Listen: func() (string, error) {
		if address := at.Load(); address != nil {
			return *address, nil
		}
		return "", errors.New("eth0 has no address")
	}}, Engine{})
	defer e.Close()
	until(t, "trouble", func() bool { return strings.Contains(e.Trouble(), "eth0 has no address") })
	if address := e.Address(); address != "" {
		t.Errorf("the address is %s", address)
	}
	for _, host := range []string{"127.0.0.1", "127.0.0.2"} {
		address := host + ":0"
		at.Store(&address)
		until(t, host, func() bool { return strings.HasPrefix(e.Address(), host+":") && e.Trouble() == "" })
		conn, err := net.Dial("tcp", e.Address())
		if err != nil {
			t.Fatal(err)
		}
		conn.Close()
	}
	at.Store(nil)
	until(t, "no address", func() bool { return e.Address() == "" && strings.Contains(e.Trouble(), "its address changed") })
}
