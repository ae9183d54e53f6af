package router_test

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/netip"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/bgptest"
	"fairlead.dev/agents/internal/bgp/gobgp"
	"fairlead.dev/agents/internal/fib"
	"fairlead.dev/agents/internal/netspace/netspacetest"
	"fairlead.dev/agents/internal/router"
)

// variable makes this test binary run as a router that reads its desired state from stdin.
const variable = "FAIRLEAD_TEST_ROUTER"

func TestMain(m *testing.M) {
	if os.Getenv(variable) != "" {
		if err := run(os.Stdin); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	bgptest.Main(m, newEngine)
}

func newEngine() bgp.Engine {
	return gobgp.Open(slog.New(slog.NewTextHandler(os.Stderr, nil)))
}

func openTable(options fib.Options) (router.Table, error) { return fib.Open(options) }

// run is a minimal agent loop for a router.
func run(input io.Reader) error {
	driver := router.NewDriver(router.Options{Engine: newEngine(), Open: openTable, Now: time.Now, Log: slog.New(slog.NewTextHandler(os.Stderr, nil))})
	var desired router.Desired
	if err := gob.NewDecoder(input).Decode(&desired); err != nil {
		return err
	}
	if _, err := driver.Set(context.Background(), desired); err != nil {
		return err
	}
	for range driver.Wake() {
		if _, err := driver.Woken(context.Background()); err != nil {
			return err
		}
	}
	return nil
}

const owner = 217

type network struct {
	speakers, reflectors []*bgptest.Process
	host                 *bgptest.Host // the router's
	router               *exec.Cmd
	desired              router.Desired
}

func newNetwork(t *testing.T, speakers, reflectors int) *network {
	t.Helper()
	n, lan := &network{}, bgptest.NewLAN(t)
	for i := range speakers {
		n.speakers = append(n.speakers, bgptest.Start(t, lan.Add(t, fmt.Sprintf("speaker%d", i+1))))
	}
	for i := range reflectors {
		n.reflectors = append(n.reflectors, bgptest.Start(t, lan.Add(t, fmt.Sprintf("reflector%d", i+1))))
	}
	n.host = lan.Add(t, "router")
	n.desired = router.Desired{ // gobgp reconnects 7 s after a lost session
		On: true, BGP: bgptest.Router(n.host, hosts(n.reflectors)...), Keeps: 15 * time.Second, Settles: 8 * time.Second,
		Table: fib.Options{Owner: owner, Metric: 20, Resilient: true, Allows: bgptest.Services},
	}
	n.startRouter(t)
	for _, reflector := range n.reflectors {
		set(t, reflector, bgptest.Reflector(reflector.Host, n.host))
	}
	for _, speaker := range n.speakers {
		set(t, speaker, n.speaks(speaker))
	}
	n.goesBy(t, n.speakers...)
	time.Sleep(n.desired.Settles) // a new router trusts little
	return n
}

func (n *network) speaks(speaker *bgptest.Process) bgp.Desired {
	return bgptest.Speaker(speaker.Host, hosts(n.reflectors)...)
}

func (n *network) startRouter(t *testing.T) {
	t.Helper()
	var input, printed bytes.Buffer
	must(t, gob.NewEncoder(&input).Encode(n.desired))
	command := exec.Command("/proc/self/exe")
	command.Env = append(os.Environ(), variable+"=1")
	command.Stdin, command.Stdout, command.Stderr = &input, &printed, &printed
	must(t, n.host.Space.Start(command))
	n.router = command
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
		if t.Failed() {
			t.Logf("output of the router:\n%s", printed.String())
		}
	})
}

func (n *network) killRouter() {
	_ = n.router.Process.Kill()
	_ = n.router.Wait()
}

// kernel returns the routes in the router's kernel.
func (n *network) kernel(t *testing.T) map[netip.Prefix][]netip.Addr {
	t.Helper()
	hops, err := fib.Read(n.host.Space.Do, owner)
	must(t, err)
	return hops
}

// goesBy waits until the kernel uses exactly these speakers as next hops.
func (n *network) goesBy(t *testing.T, speakers ...*bgptest.Process) {
	t.Helper()
	want := map[netip.Prefix][]netip.Addr{}
	for _, speaker := range speakers {
		want[bgptest.Services[0]] = append(want[bgptest.Services[0]], speaker.Host.IPv4)
		want[bgptest.Services[1]] = append(want[bgptest.Services[1]], speaker.Host.IPv6)
	}
	var got map[netip.Prefix][]netip.Addr
	for began := time.Now(); ; time.Sleep(300 * time.Microsecond) {
		if got = n.kernel(t); maps.EqualFunc(got, want, slices.Equal[[]netip.Addr]) {
			return
		}
		if time.Since(began) > time.Minute {
			t.Fatalf("next hops in the kernel: %v, want %v", got, want)
		}
	}
}

// watch records the services' routes that are removed from the router's kernel, until the result is
// read.
func (n *network) watch(t *testing.T) (left func() []string) {
	t.Helper()
	seen := netspacetest.WatchRoutes(t, n.host.Space)
	return func() (left []string) {
		t.Helper()
		changes := seen()
		for _, service := range bgptest.Services {
			if strings.Contains(changes, fmt.Sprintf("Deleted %s\n", service)) {
				left = append(left, service.String())
			}
		}
		return left
	}
}

func TestPeersRoutesAreInstalledInTheKernel(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, 3, 2)
	first, others := n.speakers[0], n.speakers[1:]
	none := n.speaks(first)
	none.Offers = nil
	const rounds = 20
	var took []time.Duration
	for range rounds {
		for _, step := range []struct {
			desired bgp.Desired
			by      []*bgptest.Process
		}{{none, others}, {n.speaks(first), n.speakers}} {
			began := time.Now()
			set(t, first, step.desired)
			n.goesBy(t, step.by...)
			took = append(took, time.Since(began))
		}
	}
	slices.Sort(took)
	t.Logf("from the speaker to the kernel: median %v, at most %v", took[len(took)/2], took[len(took)-1])
	first.Kill()
	n.goesBy(t, others...)
	for _, other := range others {
		must(t, other.Close())
	}
	n.goesBy(t)
}

func TestRoutesStayWhenReflectorsAreLost(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, 2, 2)
	left := n.watch(t)
	for i, reflector := range n.reflectors {
		reflector.Kill()
		n.reflectors[i] = bgptest.Start(t, reflector.Host)
		set(t, n.reflectors[i], bgptest.Reflector(reflector.Host, n.host))
	}
	time.Sleep(n.desired.Keeps + n.desired.Settles) // long enough for all timers
	n.goesBy(t, n.speakers...)
	if left := left(); len(left) > 0 {
		t.Errorf("routes were removed meanwhile: %v", left)
	}
	for _, reflector := range n.reflectors {
		reflector.Kill()
	}
	began := time.Now()
	n.goesBy(t)
	if took := time.Since(began); took < n.desired.Keeps-time.Second {
		t.Errorf("routes were kept for %v without a peer, want %v", took, n.desired.Keeps)
	}
}

func TestAKilledRouterAdoptsItsRoutes(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, 3, 1)
	left := n.watch(t)
	n.killRouter()
	must(t, n.speakers[2].Close()) // while no router is connected
	n.goesBy(t, n.speakers...)
	n.startRouter(t)
	n.goesBy(t, n.speakers[:2]...)
	if left := left(); len(left) > 0 {
		t.Errorf("routes were removed meanwhile: %v", left)
	}
}

func hosts(processes []*bgptest.Process) (hosts []*bgptest.Host) {
	for _, process := range processes {
		hosts = append(hosts, process.Host)
	}
	return hosts
}

func set(t *testing.T, process *bgptest.Process, desired bgp.Desired) {
	t.Helper()
	if _, err := process.Set(desired); err != nil {
		t.Fatalf("set %s: %v", process.Host.Name, err)
	}
}
