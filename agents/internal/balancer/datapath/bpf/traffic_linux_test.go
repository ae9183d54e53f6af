package bpf_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf"
	"fairlead.dev/agents/internal/balancer/datapath/xdp"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

const stateFolder = "/sys/fs/bpf/fairlead-test"

var serviceAddress = netip.MustParseAddr("192.0.2.1")

// BenchmarkTraffic is the kernel's own measurement per packet, while a client requests
// small responses from two backends over lasting connections: `go test -run - -bench
// Traffic -benchtime 20000x`.
func BenchmarkTraffic(b *testing.B) {
	for _, hook := range []bpf.Hook{bpf.TCX, bpf.XDP} {
		b.Run(hook.Name, func(b *testing.B) { measure(b, hook) })
	}
}

func measure(b *testing.B, hook bpf.Hook) {
	spaces := lay(b)
	if hook.AgentResolves {
		must(b, spaces["lan"].Do(func() error {
			peer, err := xdp.PreparePeer("lb")
			if err == nil {
				b.Cleanup(func() { _ = peer.Close() })
			}
			return err
		}))
	}
	service := datapath.Service{Key: datapath.Key{Address: serviceAddress, Port: 80, Protocol: datapath.TCP}, Delivery: datapath.Direct}
	for i, id := range []string{"a", "b"} {
		service.Backends = append(service.Backends, datapath.Backend{ID: id, Address: address(11 + i), Port: 80, Weight: 1, State: datapath.Active, Up: true})
		serve(b, spaces[id])
	}
	options := datapath.Options{Interface: "eth0", Name: spaces["lb"].Name, StateFolder: stateFolder}
	var engine *bpf.Engine
	must(b, spaces["lb"].Do(func() (err error) {
		engine, err = bpf.Open(hook, options)
		return err
	}))
	b.Cleanup(func() { _ = engine.Remove() })
	_, err := datapath.Whole(engine.Set(b.Context(), []datapath.Service{service}))
	must(b, err)

	stats, err := ebpf.EnableStats(uint32(unix.BPF_STATS_RUN_TIME))
	must(b, err)
	defer stats.Close()
	program := attached(b, hook, options)
	defer program.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16, DialContext: func(ctx context.Context, network, to string) (net.Conn, error) {
		return spaces["client"].Dial(ctx, network, to)
	}}}
	defer client.CloseIdleConnections()
	before, err := program.Stats()
	must(b, err)
	b.SetParallelism(8)
	b.RunParallel(func(each *testing.PB) {
		for each.Next() {
			if err := get(client); err != nil {
				b.Error(err)
				return
			}
		}
	})
	after, err := program.Stats()
	must(b, err)
	packets := after.RunCount - before.RunCount
	b.ReportMetric(float64((after.Runtime-before.Runtime).Nanoseconds())/float64(packets), "ns/packet")
	b.ReportMetric(float64(packets), "packets")
}

// lay creates a client, a balancer and two backends on one network.
func lay(b testing.TB) map[string]*netspace.Space {
	b.Helper()
	privileged.Need(b)
	spaces := map[string]*netspace.Space{}
	for i, name := range []string{"lan", "lb", "client", "a", "b"} {
		space, err := netspace.New(fmt.Sprintf("flcost%d-%s", os.Getpid(), name))
		must(b, err)
		b.Cleanup(func() { _ = space.Delete() })
		spaces[name] = space
		if name == "lan" {
			must(b, space.AddBridge("bridge"))
			continue
		}
		for key, value := range map[string]string{"rp_filter": "0", "arp_ignore": "1", "arp_announce": "2"} {
			must(b, space.SetSysctl("net/ipv4/conf/all/"+key, value))
		}
		number := []int{0, 1, 7, 11, 12}[i]
		must(b, netspace.Connect(
			netspace.End{Space: spaces["lan"], Interface: name, Bridge: "bridge"},
			netspace.End{Space: space, Interface: "eth0", Addresses: []netip.Prefix{netip.PrefixFrom(address(number), 24), netip.PrefixFrom(address6(number), 64)}},
		))
	}
	must(b, spaces["client"].AddRoute(netip.PrefixFrom(serviceAddress, 32), address(1)))
	return spaces
}

func address(host int) netip.Addr { return netip.AddrFrom4([4]byte{10, 9, 0, byte(host)}) }

func serve(b *testing.B, space *netspace.Space) {
	b.Helper()
	must(b, space.AddLocal(netip.PrefixFrom(serviceAddress, 32)))
	listener, err := space.Listen(b.Context(), "tcp", netip.AddrPortFrom(serviceAddress, 80).String())
	must(b, err)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") })}
	go func() { _ = server.Serve(listener) }()
	b.Cleanup(func() { _ = server.Close() })
}

func get(client *http.Client) error {
	response, err := client.Get("http://" + serviceAddress.String() + "/")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return err
}

func attached(b *testing.B, hook bpf.Hook, options datapath.Options) *ebpf.Program {
	b.Helper()
	pinned, err := link.LoadPinnedLink(filepath.Join(options.StateFolder, options.Name, hook.Name, "link"), nil)
	must(b, err)
	defer pinned.Close()
	info, err := pinned.Info()
	must(b, err)
	program, err := ebpf.NewProgramFromID(info.Program)
	must(b, err)
	return program
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
