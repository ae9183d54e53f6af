package peer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"fairlead.dev/agents/internal/configfile"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// Options are a peer's paths and addresses.
type Options struct {
	Config string // the balancer's config, as ours reads it
	Listen string // host:port of /readyz
	Folder string // for the peer's own files
}

// peer applies one configuration after the other.
type peer interface {
	// apply applies a configuration file; the first call starts the peer.
	apply(ctx context.Context, file string) error
	// ended reports that the peer's process ended by itself; nil without a process.
	ended() <-chan error
	stop()
}

// Run runs the named peer until the context ends.
func Run(ctx context.Context, name string, options Options) error {
	kind, err := Find(name)
	if err == nil {
		err = Lacking(kind)
	}
	if err != nil {
		return err
	}
	if err := kind.prepare(options.Folder); err != nil {
		return err
	}
	p := kind.open()
	defer p.stop()
	var ready atomic.Bool
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", options.Listen)
	if err != nil {
		return fmt.Errorf("serve the readiness of %s: %w", name, err)
	}
	server := &http.Server{ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if !ready.Load() {
			http.Error(w, "It has no backend yet.", http.StatusServiceUnavailable)
		}
	})}
	go func() { _ = server.Serve(listener) }() // ends with Close
	defer server.Close()

	link := configfile.New(options.Config, slog.New(slog.NewTextHandler(os.Stderr, nil)))
	go func() { _ = link.Run(ctx, 0) }() // ends with ctx
	for newest := []byte(nil); ; {
		select {
		case <-ctx.Done():
			return nil
		case err := <-p.ended():
			return fmt.Errorf("%s ended by itself: %w", name, errors.Join(err, errors.New("see its log")))
		case config := <-link.Configs():
			text, err := kind.render(options.Folder, config)
			if err != nil {
				return err
			}
			if bytes.Equal(text, newest) {
				continue
			}
			file := filepath.Join(options.Folder, "config")
			if err := os.WriteFile(file, text, 0o644); err != nil {
				return fmt.Errorf("write the configuration of %s: %w", name, err)
			}
			if err := p.apply(ctx, file); err != nil {
				return fmt.Errorf("configure %s: %w", name, err)
			}
			newest = text
			ready.Store(true)
		}
	}
}

// service is one service in a template.
type service struct {
	Name, Family, Protocol string
	endpoint
	Checked  bool // whether backends are health-checked
	Backends []backend
}

type backend struct {
	Name string
	endpoint
}

type endpoint struct {
	Address string
	Port    uint32
}

// Endpoint is host:port.
func (e endpoint) Endpoint() string { return net.JoinHostPort(e.Address, fmt.Sprint(e.Port)) }

// render writes the peer's configuration for a balancer's config.
func (k Kind) render(folder string, wanted *agentv1.NodeConfig) ([]byte, error) {
	var services []service
	for i, s := range wanted.GetBalancer().GetServices() {
		if s.GetProtocol() == "udp" && !k.UDP {
			return nil, fmt.Errorf("%s carries no UDP, which %s port %d is", k.Title, s.GetAddress(), s.GetPort())
		}
		described := service{Name: fmt.Sprintf("s%d", i), Family: "ip6", Protocol: s.GetProtocol(), endpoint: endpoint{s.GetAddress(), s.GetPort()}, Checked: s.GetHealthCheck() != nil}
		if strings.Contains(s.GetAddress(), ".") {
			described.Family = "ip"
		}
		for _, b := range s.GetBackends() {
			if slices.Contains([]string{"active", "filling"}, b.GetState()) {
				described.Backends = append(described.Backends, backend{b.GetId(), endpoint{b.GetAddress(), b.GetPort()}})
			}
		}
		if len(described.Backends) > 0 {
			services = append(services, described)
		}
	}
	var text bytes.Buffer
	err := k.config.Execute(&text, map[string]any{"Folder": folder, "Certificate": certificateFile(folder), "Services": services, "Families": []string{"ip", "ip6"}})
	return text.Bytes(), err
}
