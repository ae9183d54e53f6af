package bench

import (
	"context"
	"crypto/tls"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fairlead.dev/agents/internal/bench/peer"
)

// serveSessions is an HTTPS server that resumes sessions, to measure the generator against.
func serveSessions(ctx context.Context, arguments []string) error {
	flags := flag.NewFlagSet("serve-sessions", flag.ContinueOnError)
	name := flags.String("name", "", "name of the backend")
	address := flags.String("tcp", "", "address and port")
	if err := parse(flags, arguments); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "fairlead-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "certificate.pem")
	if err := peer.WriteCertificate(file); err != nil {
		return err
	}
	pair, err := tls.LoadX509KeyPair(file, file)
	if err != nil {
		return err
	}
	listener, err := tls.Listen("tcp", *address, &tls.Config{Certificates: []tls.Certificate{pair}})
	if err != nil {
		return err
	}
	body := strings.Repeat("x", smallSize)
	server := &http.Server{
		ReadHeaderTimeout: time.Minute,
		ErrorLog:          log.New(io.Discard, "", 0), // a client that ends early is its own matter
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Backend", *name)
			_, _ = io.WriteString(w, body) // a broken connection is the client's to report
		}),
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	fmt.Println("listening")
	if err := server.Serve(listener); ctx.Err() == nil {
		return err
	}
	return nil
}
