package backend

import (
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
	"fairlead.dev/agents/internal/session/cookie"
)

var services = []netip.AddrPort{netip.MustParseAddrPort("192.0.2.1:443"), netip.MustParseAddrPort("[2001:db8::1]:443")}

// host has namespaces of instances, and a folder for agents.
type host struct {
	pattern string
	state   string
	pins    string
	name    string
}

var hosts int

func newHost(t *testing.T) *host {
	t.Helper()
	privileged.Need(t)
	hosts++
	name := fmt.Sprintf("flback%d-%d", os.Getpid(), hosts)
	h := &host{name: name, pattern: filepath.Join(netspace.Folder, name+"-*"), state: t.TempDir(), pins: filepath.Join("/sys/fs/bpf/fairlead-test", name, "backend")}
	t.Cleanup(func() {
		if left, err := os.ReadDir(h.pins); err == nil {
			t.Errorf("%d folders are still pinned", len(left))
		}
	})
	return h
}

// instance creates a namespace with these addresses on eth0.
func (h *host) instance(t *testing.T, name string, own ...string) *netspace.Space {
	t.Helper()
	var spaces [2]*netspace.Space
	for i, each := range []string{h.name + "-" + name, "peer" + h.name + "-" + name} {
		space, err := netspace.New(each)
		must(t, err)
		t.Cleanup(func() { _ = space.Delete() })
		spaces[i] = space
	}
	end := netspace.End{Space: spaces[0], Interface: "eth0"}
	for _, address := range own {
		end.Addresses = append(end.Addresses, netip.MustParsePrefix(address))
	}
	must(t, netspace.Connect(end, netspace.End{Space: spaces[1], Interface: "eth0"}))
	return spaces[0]
}

func (h *host) driver(t *testing.T) *Driver {
	t.Helper()
	return NewDriver(Options{Pins: h.pins, StateFolder: h.state, Namespaces: h.pattern, LookEvery: 50 * time.Millisecond, Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
}

// off removes everything, and closes the driver.
func off(t *testing.T, d *Driver) {
	t.Helper()
	set(t, d)
	must(t, d.Close())
}

func set(t *testing.T, d *Driver, servers ...Server) (changes int) {
	t.Helper()
	changes, err := d.Set(t.Context(), Desired{On: len(servers) > 0, Servers: servers})
	must(t, err)
	return changes
}

// serverAt returns a server with this own address.
func serverAt(t *testing.T, own string, service netip.AddrPort) Server {
	t.Helper()
	keys, err := cookie.Unpack(sessionKeys(), nil)
	must(t, err)
	return Server{Backend: "bk_" + own, LoadBalancer: "lb_1", Own: netip.MustParseAddr(own), Service: service, Number: 1, Keys: keys}
}

// serve listens to a service in a namespace.
func serve(t *testing.T, space *netspace.Space, service netip.AddrPort, multipath bool) net.Listener {
	t.Helper()
	config := net.ListenConfig{}
	config.SetMultipathTCP(multipath)
	var listener net.Listener
	must(t, space.Do(func() (err error) {
		listener, err = config.Listen(t.Context(), "tcp", fmt.Sprintf(":%d", service.Port()))
		return err
	}))
	t.Cleanup(func() { _ = listener.Close() })
	return listener
}

// status returns a server's state in one text.
func status(t *testing.T, d *Driver, s Server) string {
	t.Helper()
	observed, err := d.Observe(t.Context())
	must(t, err)
	for _, one := range observed.Status.GetServers() {
		if one.GetBackendId() == s.Backend {
			return fmt.Sprintf("%t %s %s", one.GetReady(), one.GetCompanion(), one.GetMessage())
		}
	}
	return "not reported"
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// until waits for a state that the kernel, or the driver's next search, leads to.
func until(t *testing.T, d *Driver, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !is(); {
		if time.Now().After(deadline) {
			t.Fatalf("not within 20 seconds: %s", what)
		}
		<-d.wake
		_, err := d.Woken(t.Context())
		must(t, err)
	}
}

// has reports whether an address is on a namespace's loopback interface.
func has(t *testing.T, space *netspace.Space, address netip.Addr) bool {
	t.Helper()
	link, err := space.Links().LinkByName("lo")
	must(t, err)
	list, err := space.Links().AddrList(link, 0)
	must(t, err)
	for _, one := range list {
		if found, ok := netip.AddrFromSlice(one.IP); ok && found.Unmap() == address {
			return true
		}
	}
	return false
}
