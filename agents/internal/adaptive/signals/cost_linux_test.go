package signals

import (
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/balancer/datapath"
)

// BenchmarkPacket measures the programs by the kernel's own statistics, with real packets: one
// request and one answer each. An empty program runs next to them, because the statistics cost time
// too: `go test -run - -bench Packet`.
func BenchmarkPacket(b *testing.B) {
	for _, c := range []struct {
		name      string
		protocol  datapath.Protocol // of the service
		isCounted bool
		network   string
	}{
		{"TCP/other port", datapath.TCP, false, "tcp"},
		{"TCP/service", datapath.TCP, true, "tcp"},
		{"UDP/other port", datapath.TCP, true, "udp"},
		{"UDP/service", datapath.UDP, true, "udp"},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := newPlace(b).open()
			config := p.config(c.protocol)
			if !c.isCounted {
				config.Services[0].Backends = nil
			}
			must(b, p.signals.Set(config))
			pingPong(b, p, c.network)
		})
	}
}

func pingPong(b *testing.B, p *place, network string) {
	b.Helper()
	empty := attachEmpty(b, p.options.Cgroup)
	var exchange func()
	if network == "tcp" {
		p.serve(server4, net.ListenConfig{}, answerEach)
		conn := p.dial(client4, server4)
		must(b, conn.SetDeadline(time.Time{}))
		exchange = func() { request(b, conn) }
	} else {
		socket, client := p.bind(p.server.Do, netip.AddrPortFrom(server4, port)), p.bind(p.client.Do, netip.AddrPortFrom(client4, 0))
		go func() {
			buffer := make([]byte, 1)
			for {
				_, to, err := socket.ReadFromUDPAddrPort(buffer)
				if err != nil {
					return
				}
				_, _ = socket.WriteToUDPAddrPort(buffer, to)
			}
		}()
		exchange = func() {
			send(b, client, server4, 1)
			receive(b, client)
		}
	}
	statistics, err := ebpf.EnableStats(unix.BPF_STATS_RUN_TIME)
	must(b, err)
	defer statistics.Close()
	exchange()
	names := []string{program.SignalsProgSeeReceived, program.SignalsProgSeeSent}
	programs := append([]*ebpf.Program{empty}, p.signals.collection.Programs[names[0]], p.signals.collection.Programs[names[1]])
	before := runsOf(b, programs)
	for b.Loop() {
		exchange()
	}
	for i, after := range runsOf(b, programs) {
		runs, took := after.RunCount-before[i].RunCount, after.Runtime-before[i].Runtime
		b.ReportMetric(float64(took.Nanoseconds())/float64(runs), "ns/"+append([]string{"empty"}, names...)[i])
	}
}

func runsOf(b *testing.B, programs []*ebpf.Program) (all []ebpf.ProgramStats) {
	b.Helper()
	for _, one := range programs {
		stats, err := one.Stats()
		must(b, err)
		all = append(all, *stats)
	}
	return all
}

func attachEmpty(b *testing.B, cgroup string) *ebpf.Program {
	b.Helper()
	empty, err := ebpf.NewProgram(&ebpf.ProgramSpec{
		Type: ebpf.CGroupSKB, AttachType: ebpf.AttachCGroupInetIngress, License: "GPL",
		Instructions: asm.Instructions{asm.Mov.Imm(asm.R0, 1), asm.Return()},
	})
	must(b, err)
	attached, err := link.AttachCgroup(link.CgroupOptions{Path: cgroup, Attach: ebpf.AttachCGroupInetIngress, Program: empty})
	must(b, err)
	b.Cleanup(func() { _ = attached.Close(); _ = empty.Close() })
	return empty
}

// BenchmarkObserve measures what the agent does 20 times a second: 100 services with clients at 8 nodes.
func BenchmarkObserve(b *testing.B) {
	p := newPlace(b).open()
	config := Config{}
	for i := range uint16(100) {
		key := datapath.Key{Address: netip.MustParseAddr("192.0.2.1"), Port: i + 1, Protocol: datapath.TCP}
		config.Services = append(config.Services, Service{Number: i + 1, Cores: 2, Key: key})
	}
	must(b, p.signals.Set(config))
	for _, service := range config.Services {
		for node := range uint32(8) {
			key := originKey{Service: uint32(service.Number), Incarnation: incarnationOf(service), Node: node}
			must(b, p.signals.maps[program.SignalsMapSignalOrigins].Put(key, originEntry{}))
		}
	}
	for b.Loop() {
		if _, err := p.signals.Observe(); err != nil {
			b.Fatal(err)
		}
	}
}
