package main

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"sync/atomic"
	"time"
)

// pagesKeyLeast is the minimum length of a key: what guesses over the network can't find.
const pagesKeyLeast = 16

// pagesOptions are where and to whom an agent serves its pages.
type pagesOptions struct {
	listen  string // empty: nowhere
	keyFile string // empty: only this host may read them
}

// servePages listens only if configured: the protocol needs no open port.
func servePages(options pagesOptions, pages map[string]http.Handler, log *slog.Logger) (stop func(), err error) {
	if options.listen == "" {
		return func() {}, nil
	}
	if options.keyFile != "" {
		if _, err := readPagesKey(options.keyFile); err != nil {
			return nil, err
		}
		if isPublic(options.keyFile) {
			log.Warn("every user of this host can read the key of the pages: make its file readable only for the agent", "file", options.keyFile)
		}
	}
	listener, err := net.Listen("tcp", options.listen)
	if err != nil {
		return nil, refuse("metrics can't be served at %s (%w): choose another address with --metrics-listen", options.listen, err)
	}
	mux := http.NewServeMux()
	for path, page := range pages {
		mux.Handle("GET "+path, page)
	}
	server := &http.Server{
		Handler:           protected(mux, options.keyFile, log),
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second,
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Error("metrics are no longer served", "err", err)
		}
	}()
	at := listener.Addr().String()
	log.Info("serving metrics", "address", at)
	if host := netip.MustParseAddrPort(at).Addr(); !host.Unmap().IsLoopback() && options.keyFile == "" {
		log.Warn("only this host can read the pages: give other readers a key with --pages-key-file", "address", at)
	}
	return func() {
		_ = server.Close()
		<-done
	}, nil
}

// protected serves this host, and others that send the key. It reads the file again for
// each of them, so that the key can be replaced.
func protected(pages http.Handler, keyFile string, log *slog.Logger) http.Handler {
	var logged atomic.Pointer[string] // the last error: any host can send requests
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isThisHost(r) {
			pages.ServeHTTP(w, r)
			return
		}
		if keyFile == "" {
			http.Error(w, "These pages are for this host only. Start the agent with --pages-key-file to read them from elsewhere.", http.StatusForbidden)
			return
		}
		key, err := readPagesKey(keyFile)
		if err != nil {
			text := err.Error()
			if before := logged.Swap(&text); before == nil || *before != text {
				log.Error("no other host can read the pages", "err", err)
			}
			http.Error(w, "The agent can't read its key: see its log.", http.StatusServiceUnavailable)
			return
		}
		logged.Store(nil)
		sent, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		wanted, got := sha256.Sum256([]byte(key)), sha256.Sum256([]byte(sent))
		if subtle.ConstantTimeCompare(wanted[:], got[:]) != 1 {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "Send the content of the agent's --pages-key-file as \"Authorization: Bearer KEY\".", http.StatusUnauthorized)
			return
		}
		pages.ServeHTTP(w, r)
	})
}

// isThisHost reports whether a process of this network namespace sent a request: from
// loopback, or from the address at which it arrived.
func isThisHost(r *http.Request) bool {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return false
	}
	local, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return from.Addr().Unmap().IsLoopback() || local != nil && from.Addr().Unmap() == local.AddrPort().Addr().Unmap()
}

// isPublic reports whether any user of this host can read a file.
func isPublic(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().Perm()&0o004 != 0
}

func readPagesKey(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", refuse("--pages-key-file can't be read: %w", err)
	}
	key := strings.TrimSpace(string(data))
	if len(key) < pagesKeyLeast || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", refuse("--pages-key-file %s: %w", path, fmt.Errorf("use one line of at least %d ASCII characters without spaces, such as from `openssl rand -hex 32`", pagesKeyLeast))
	}
	return key, nil
}
