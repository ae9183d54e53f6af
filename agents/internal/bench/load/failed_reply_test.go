package load

import (
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"
)

func TestAReplyWithAnErrorKeepsItsConnectionAndCountsIt(t *testing.T) {
	var ports atomic.Int64
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{
		ConnState: func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				ports.Add(1)
			}
		},
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Backend", "a")
			w.WriteHeader(http.StatusServiceUnavailable)
		}),
	}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	o := optionsFor("http://shop.example/", netip.MustParseAddrPort(listener.Addr().String()))
	o.Users, o.Requests, o.Arrivals = 2, 10, Uniform
	report, err := Run(t.Context(), o)
	if err != nil || report.Due < 100 || report.Failed != report.Due || report.Answered > 0 {
		t.Fatalf("%+v, %v", report, err)
	}
	s := report.Sessions
	if s.Connections != uint64(ports.Load()) || s.Connections > report.Due/10+2 || s.NewUsers != 2 || s.SameBackend != s.Returns || s.Returns == 0 {
		t.Errorf("%d requests, %d connections at the server, %+v", report.Due, ports.Load(), s)
	}
	if report.Backends["a"] != report.Due {
		t.Errorf("%v", report.Backends)
	}
}

func TestAUserWhoseConnectionsFailedDoesNotReturn(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close() // the first requests are refused
	o := optionsFor("http://shop.example/", netip.MustParseAddrPort(address))
	o.Users, o.Requests, o.Arrivals = 1, 1_000_000, Uniform
	started := make(chan error, 1)
	time.AfterFunc(300*ms, func() {
		again, err := net.Listen("tcp", address)
		started <- err
		if err == nil {
			serveOn(t, again, "a", func(http.ResponseWriter, *http.Request) {})
		}
	})
	report, err := Run(t.Context(), o)
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	if err != nil || report.Failures["connect: refused"] == 0 || report.Answered == 0 {
		t.Fatalf("%+v, %v", report, err)
	}
	if s := report.Sessions; s.Connections != 1 || s.NewUsers != 1 || s.Returns != 0 {
		t.Errorf("%+v", s)
	}
}
