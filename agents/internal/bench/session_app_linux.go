package bench

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"fairlead.dev/agents/internal/bench/sessionapp"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/session/keys"
)

const (
	sharedPort = 8443 // where the servers keep the data of sessions in Redis
	storePort  = 6379
	storeHost  = 5
)

func storeAddress() netip.AddrPort { return netip.AddrPortFrom(hostAddress(storeHost), storePort) }

// serveApp is a server of the application: with its sessions in its memory by HTTPS, and by plain HTTP for balancers
// that end TLS, and with its sessions in Redis by HTTPS.
func serveApp(ctx context.Context, arguments []string) error {
	flags := flag.NewFlagSet("serve-app", flag.ContinueOnError)
	name := flags.String("name", "", "name of the backend")
	certificate := flags.String("certificate", "", "file with a certificate and its key")
	tickets := flags.String("tickets", "", "file with ticket keys")
	store := flags.String("store", "", "address and port of Redis")
	if err := parse(flags, arguments); err != nil {
		return err
	}
	secure, err := sessionapp.Secure(*certificate, *tickets)
	if err != nil {
		return err
	}
	listening := net.ListenConfig{}
	listening.SetMultipathTCP(false) // such a listener accepts no connection that a companion begins
	own, shared := sessionapp.Handler(*name, sessionapp.NewMemory()), sessionapp.Handler(*name, sessionapp.NewRedis(*store))
	ended := make(chan error, 3)
	for _, each := range []struct {
		port    int
		secure  *tls.Config
		handler http.Handler
	}{{securePort, secure, own}, {servicePort, nil, own}, {sharedPort, secure, shared}} {
		listener, err := listening.Listen(ctx, "tcp", fmt.Sprintf(":%d", each.port))
		if err != nil {
			return err
		}
		if each.secure != nil {
			listener = tls.NewListener(listener, each.secure)
		}
		server := &http.Server{
			Handler: each.handler, ReadHeaderTimeout: time.Minute,
			ErrorLog: log.New(io.Discard, "", 0), // a client that ends early is its own matter
		}
		stop := context.AfterFunc(ctx, func() { _ = server.Close() })
		defer stop()
		go func() { ended <- server.Serve(listener) }()
	}
	fmt.Println("listening")
	if err := <-ended; ctx.Err() == nil {
		return err
	}
	return nil
}

// serveApplication starts a server of the application as a backend.
func (l *sessionLab) serveApplication(space *netspace.Space, name, certificate string) error {
	tickets := filepath.Join(l.folder, name+"-tickets")
	if err := keys.Write(keys.Go(tickets, keys.For(name, sessionHosts, l.epoch))); err != nil {
		return err
	}
	return l.startEnd(space, exec.Command("/proc/self/exe", "serve-app",
		"--name", name, "--certificate", certificate, "--tickets", tickets, "--store", storeAddress().String()))
}

// startStore starts Redis on a host of its own, and waits until it replies.
func (l *sessionLab) startStore(ctx context.Context) error {
	space, err := l.host("store", storeHost)
	if err != nil {
		return err
	}
	command := exec.Command(sessionapp.RedisProgram, sessionapp.RedisArguments("0.0.0.0", strconv.Itoa(storePort), l.folder)...)
	command.Stderr = os.Stderr
	if err := space.StartBound(command); err != nil {
		return err
	}
	l.ends = append(l.ends, command)
	ctx, cancel := context.WithTimeout(ctx, startsWithin)
	defer cancel()
	for {
		err := l.forget(ctx, usualBackends)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("the application isn't ready: %w", err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// forget removes all sessions of so many servers, and of Redis, so that each measurement begins without.
func (l *sessionLab) forget(ctx context.Context, servers int) (err error) {
	client := &http.Client{Timeout: startsWithin, Transport: &http.Transport{
		DialContext: l.client.Dial, DisableKeepAlives: true, TLSClientConfig: secured,
	}}
	for i := range servers {
		for _, at := range []string{fmt.Sprintf("http://%s:%d", hostAddress(backendHost(i)), servicePort), fmt.Sprintf("https://%s:%d", hostAddress(backendHost(i)), sharedPort)} {
			request, failed := http.NewRequestWithContext(ctx, http.MethodGet, at+sessionapp.ForgetPath, nil)
			if failed != nil {
				return failed
			}
			response, failed := client.Do(request)
			if failed != nil {
				return failed
			}
			err = errors.Join(err, response.Body.Close())
			if response.StatusCode != http.StatusOK {
				err = errors.Join(err, fmt.Errorf("%s replies %s", at, response.Status))
			}
		}
	}
	return err
}
