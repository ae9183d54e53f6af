package app

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Listen is a protocol to serve and its address.
type Listen struct {
	Serve   string // "http", "tcp", "tls" or "udp"
	Address string // host:port; UDP replies come from it, so UDP needs a host
	Tickets string // file of ticket keys, of TLS only; empty: random ones
}

// mostBody is the limit of /bytes/N.
const mostBody = 1 << 30

// Serve returns a name to every request until the context ends.
func Serve(ctx context.Context, name string, listens []Listen) error {
	if len(listens) == 0 {
		return errors.New("nothing to serve: set --http, --tcp, --tls or --udp with an address")
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var running sync.WaitGroup
	for _, l := range listens {
		serve, err := open(ctx, name, l)
		if err != nil {
			stop(nil)
			running.Wait()
			return err
		}
		running.Go(func() { stop(serve()) })
	}
	running.Wait()
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil
}

func open(ctx context.Context, name string, l Listen) (serve func() error, err error) {
	if l.Serve == "udp" {
		conn, err := new(net.ListenConfig).ListenPacket(ctx, "udp", l.Address)
		if err != nil {
			return nil, fmt.Errorf("serve udp at %s: %w", l.Address, err)
		}
		return func() error { return serveDatagrams(ctx, name, conn) }, nil
	}
	config := net.ListenConfig{}
	if l.Serve == "tls" {
		config.SetMultipathTCP(false) // the kernel creates no connection of MPTCP for a balancer
	}
	listener, err := config.Listen(ctx, "tcp", l.Address)
	if err != nil {
		return nil, fmt.Errorf("serve %s at %s: %w", l.Serve, l.Address, err)
	}
	listener = &proxied{listener}
	switch l.Serve {
	case "http":
		return func() error { return servePages(ctx, name, listener) }, nil
	case "tcp":
		return func() error { return serveLines(ctx, name, listener) }, nil
	case "tls":
		config, err := serverConfig(name, l.Tickets)
		if err != nil {
			return nil, errors.Join(err, listener.Close())
		}
		listener = tls.NewListener(listener, config)
		return func() error { return serveLines(ctx, name, listener) }, nil
	}
	return nil, errors.Join(fmt.Errorf("%q can't be served: use http, tcp, tls or udp", l.Serve), listener.Close())
}

type connKey struct{}

// servePages returns the name on every path, and N bytes on /bytes/N.
func servePages(ctx context.Context, name string, listener net.Listener) error {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // of an upload
		// Not r.RemoteAddr: it is set before the first byte is read.
		w.Header().Set("X-Client", r.Context().Value(connKey{}).(net.Conn).RemoteAddr().String())
		_, _ = io.WriteString(w, name+"\n")
	})
	mux.HandleFunc("/bytes/{count}", func(w http.ResponseWriter, r *http.Request) {
		count, err := strconv.ParseInt(r.PathValue("count"), 10, 64)
		if err != nil || count < 0 || count > mostBody {
			http.Error(w, fmt.Sprintf("use 0 to %d bytes", mostBody), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Length", r.PathValue("count"))
		_, _ = io.CopyN(w, zeros{}, count)
	})
	// Only the header has a time limit: clients keep connections for days.
	server := &http.Server{
		Handler: mux, ReadHeaderTimeout: time.Hour,
		ConnContext: func(ctx context.Context, conn net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, conn)
		},
	}
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve http: %w", err)
	}
	return nil
}

// serveLines returns the name for each line.
func serveLines(ctx context.Context, name string, listener net.Listener) error {
	var open sync.Map
	go func() {
		<-ctx.Done()
		_ = listener.Close()
		open.Range(func(conn, _ any) bool { _ = conn.(net.Conn).Close(); return true })
	}()
	for {
		conn, err := listener.Accept()
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return fmt.Errorf("serve tcp: %w", err)
		}
		open.Store(conn, nil)
		go func() {
			defer open.Delete(conn)
			defer conn.Close()
			for lines := bufio.NewReaderSize(conn, 4096); ; {
				if _, err := lines.ReadSlice('\n'); err != nil {
					return
				}
				if _, err := io.WriteString(conn, name+"\n"); err != nil {
					return
				}
			}
		}()
	}
}

// serveDatagrams returns the name for each datagram.
func serveDatagrams(ctx context.Context, name string, conn net.PacketConn) error {
	go func() {
		<-ctx.Done()
		_ = conn.Close()
	}()
	for buffer := make([]byte, 65536); ; {
		_, from, err := conn.ReadFrom(buffer)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			continue // an ICMP error caused by an earlier reply
		}
		_, _ = conn.WriteTo([]byte(name+"\n"), from)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
