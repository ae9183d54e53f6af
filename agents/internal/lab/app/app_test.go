package app_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/lab/app"
)

func TestServersReturnTheirNameAndTrafficCountsIt(t *testing.T) {
	addresses := serve(t, "web-1", "http", "tcp", "tls", "udp")
	counts := app.NewCounts()
	ctx, stop := context.WithCancel(t.Context())
	var loads []app.Load
	for serve, address := range addresses {
		loads = append(loads, app.Load{Service: serve, Serve: serve, Addresses: []string{address}, Connections: 2, PerSecond: 100, RequestsPerConnection: 5})
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		app.Run(ctx, loads, counts)
	}()
	waitFor(t, "twenty answers of each", func() bool {
		read := counts.Read()
		return len(read) == 4 && read["tls"].Requests >= 20 && read["http"].Requests >= 20 && read["tcp"].Requests >= 20 && read["udp"].Requests >= 20
	})
	stop()
	<-ended
	for serve, c := range counts.Read() {
		if c.Broken+c.Failed > 0 || c.Open != 0 || c.Backends["web-1"] != c.Requests || c.Connections < 4 || c.LatencyMsP50 <= 0 {
			t.Errorf("%s: %+v", serve, c)
		}
	}
}

func TestABrokenConnectionIsCountedOnce(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_ = conn.Close()
		}
	}()
	counts := app.NewCounts()
	go app.Run(t.Context(), []app.Load{{Service: "s", Serve: "tcp", Addresses: []string{listener.Addr().String()}, Connections: 1, PerSecond: 100}}, counts)
	waitFor(t, "a broken connection", func() bool { return counts.Read()["s"].Broken > 0 })
	_ = listener.Close()
	waitFor(t, "a failed one", func() bool { return counts.Read()["s"].Failed > 0 })
}

// A client next to an application may start before it.
func TestFailuresBeforeTheFirstConnectionDontCountForAClientThatWaits(t *testing.T) {
	address := freePort(t, "tcp")
	ctx, stop := context.WithCancel(t.Context())
	counts, ended := app.NewCounts(), make(chan struct{})
	load := app.Load{Serve: "tcp", Addresses: []string{address}, Connections: 1, PerSecond: 100, RequestsPerConnection: 1}
	waiting, other := load, load
	waiting.Service, waiting.Waits, other.Service = "waiting", true, "other"
	go func() {
		defer close(ended)
		app.Run(ctx, []app.Load{waiting, other}, counts)
	}()
	waitFor(t, "a failure", func() bool { return counts.Read()["other"].Failed > 0 })
	serving, stopServing := context.WithCancel(ctx)
	served := make(chan error, 1)
	go func() { served <- app.Serve(serving, "web-1", []app.Listen{{Serve: "tcp", Address: address}}) }()
	waitFor(t, "an answer", func() bool { return counts.Read()["waiting"].Requests > 0 })
	if failed := counts.Read()["waiting"].Failed; failed > 0 {
		t.Errorf("%d failures before the first connection", failed)
	}
	stopServing()
	if err := <-served; err != nil {
		t.Error(err)
	}
	waitFor(t, "a failure", func() bool { return counts.Read()["waiting"].Failed > 0 })
	stop()
	<-ended
}

func TestHowAConnectionBrokeIsReported(t *testing.T) {
	for _, test := range []struct {
		how    app.How
		answer func(*net.TCPConn)
	}{
		{app.Moved, func(conn *net.TCPConn) { _, _ = io.WriteString(conn, "a\nb\n") }},
		{app.Ended, func(conn *net.TCPConn) { _, _ = io.WriteString(conn, "a\n"); _ = conn.CloseWrite() }},
		{app.Reset, func(conn *net.TCPConn) {
			_, _ = io.WriteString(conn, "a\n")
			_ = conn.SetLinger(0)
			_, _ = conn.Read(make([]byte, 64))
			_ = conn.Close()
		}},
	} {
		t.Run(string(test.how), func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer listener.Close()
			go func() {
				for {
					conn, err := listener.Accept()
					if err != nil {
						return
					}
					test.answer(conn.(*net.TCPConn))
				}
			}()
			counts := app.NewCounts()
			go app.Run(t.Context(), []app.Load{{Service: "s", Serve: "tcp", Addresses: []string{listener.Addr().String()}, Connections: 1, PerSecond: 100}}, counts)
			waitFor(t, "a connection that is "+string(test.how), func() bool { return counts.Read()["s"].BrokenHow[test.how] > 0 })
			read := counts.Read()["s"]
			if b := read.Breaks[0]; b.How != test.how || b.Backend != "a" || b.Error == "" || b.Client == "" || b.Service != listener.Addr().String() {
				t.Errorf("%+v", b)
			}
		})
	}
}

func TestTheProxyHeaderNamesTheClient(t *testing.T) {
	conn, err := net.Dial("tcp", serve(t, "web-1", "http")["http"])
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	header := "\r\n\r\n\x00\r\nQUIT\n\x21\x11\x00\x0c" + "\xc6\x12\x01\x02" + "\xcb\x00\x71\x01" + "\x30\x39" + "\x00\x50"
	_, _ = io.WriteString(conn, header+"GET / HTTP/1.0\r\n\r\n")
	answer, err := io.ReadAll(conn)
	if err != nil || !bytes.Contains(answer, []byte("X-Client: 198.18.1.2:12345")) {
		t.Fatalf("%v: %s", err, answer)
	}
}

func TestBodiesHaveTheRequestedSize(t *testing.T) {
	response, err := http.Get("http://" + serve(t, "web-1", "http")["http"] + "/bytes/65536")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if n, err := io.Copy(io.Discard, response.Body); n != 65536 || err != nil {
		t.Fatalf("%d bytes, %v", n, err)
	}
}

func TestAnAddressInUseIsReported(t *testing.T) {
	address := serve(t, "web-1", "tcp")["tcp"]
	err := app.Serve(t.Context(), "web-2", []app.Listen{{Serve: "tcp", Address: address}})
	if err == nil || !strings.Contains(err.Error(), "serve tcp at "+address) {
		t.Fatalf("err = %v", err)
	}
}

// serve runs a server and returns the address of each protocol.
func serve(t *testing.T, name string, protocols ...string) map[string]string {
	t.Helper()
	addresses := map[string]string{}
	var listens []app.Listen
	for _, speech := range protocols {
		addresses[speech] = freePort(t, speech)
		listens = append(listens, app.Listen{Serve: speech, Address: addresses[speech]})
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- app.Serve(ctx, name, listens) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	for speech, address := range addresses {
		waitFor(t, "a listener", func() bool { return isServed(speech, address) })
	}
	return addresses
}

// isServed reports whether a port is served. With UDP, only a reply shows that.
func isServed(speech, address string) bool {
	network := map[bool]string{true: "udp", false: "tcp"}[speech == "udp"]
	conn, err := net.Dial(network, address)
	if err != nil {
		return false
	}
	defer conn.Close()
	if network == "tcp" {
		return true
	}
	_ = conn.SetDeadline(time.Now().Add(100 * time.Millisecond))
	_, _ = conn.Write([]byte("who"))
	_, err = conn.Read(make([]byte, 100))
	return err == nil
}

func freePort(t *testing.T, speech string) string {
	t.Helper()
	if speech == "udp" {
		conn, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		return conn.LocalAddr().String()
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

func waitFor(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !condition(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("no %s within a minute", what)
		}
	}
}
