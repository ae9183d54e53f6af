package sockets

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/adaptive/program"
)

// BenchmarkConnectAndClose compares connections to a service of four nodes with direct ones, in turns, because
// the machine's speed varies. It reports medians, and the time of the programs in the kernel.
func BenchmarkConnectAndClose(b *testing.B) {
	before := server(b, tcp4) // a connection to it passes no program
	var without []time.Duration
	for range 2000 {
		without = append(without, connectAndClose(b, before.String()))
	}
	engine := newEngine(b)
	service := serviceOf(b, tcp4, "here", "a", "b", "c")
	set(b, engine, service)
	stats, err := ebpf.EnableStats(unix.BPF_STATS_RUN_TIME)
	must(b, err)
	costs := map[string]Cost{"here": rising(0), "a": rising(0), "b": rising(0), "c": rising(0)}
	inKernel := map[string][]time.Duration{} // a run in each round, of which some are interrupted
	for range 100 {
		setCosts(b, engine, service, costs)
		before := spentBy(b, engine)
		for range 20 {
			connectAndClose(b, addressOfKey(tcp4))
		}
		for name, after := range spentBy(b, engine) {
			inKernel[name] = append(inKernel[name], (after.Runtime-before[name].Runtime)/time.Duration(after.RunCount-before[name].RunCount))
		}
	}
	must(b, stats.Close())
	var direct, chosen []time.Duration
	for b.Loop() {
		setCosts(b, engine, service, costs)
		for range 100 {
			direct = append(direct, connectAndClose(b, service.Backends[0].Address.String()))
			chosen = append(chosen, connectAndClose(b, addressOfKey(tcp4)))
		}
	}
	for name, spent := range inKernel { // after the loop, whose start resets the metrics
		slices.Sort(spent)
		b.ReportMetric(float64(spent[len(spent)/2]), "ns-"+name)
	}
	b.ReportMetric(microseconds(without), "µs-unattached")
	b.ReportMetric(microseconds(direct), "µs-direct")
	b.ReportMetric(microseconds(chosen), "µs-chosen")
}

func spentBy(b *testing.B, engine *Engine) map[string]*ebpf.ProgramStats {
	out := map[string]*ebpf.ProgramStats{}
	for _, name := range []string{program.SocketsProgFairleadConn4, program.SocketsProgFairleadClose, program.SocketsProgFairleadState} {
		spent, err := engine.programs[name].Stats()
		must(b, err)
		out[name] = spent
	}
	return out
}

func connectAndClose(b *testing.B, address string) time.Duration {
	began := time.Now()
	conn, err := net.Dial("tcp", address)
	must(b, err)
	must(b, conn.(*net.TCPConn).SetLinger(0))
	must(b, conn.Close())
	return time.Since(began)
}

func microseconds(all []time.Duration) float64 {
	slices.Sort(all)
	return float64(all[len(all)/2].Nanoseconds()) / 1000
}

// BenchmarkSetCosts is what the agent does 20 times a second for 100 services at 8 nodes.
func BenchmarkSetCosts(b *testing.B) {
	engine := newEngine(b)
	var services []Service
	var costs []Cost
	for i := range 100 {
		service := Service{Key: tcp4, Number: uint16(i + 1)}
		service.Key.Port = uint16(i + 1)
		for node := range 8 {
			name := fmt.Sprint("node", node)
			cost := rising(0)
			cost.Service, cost.Node = service.Number, name
			costs = append(costs, cost)
			address := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(i), byte(node)}), 80)
			service.Backends = append(service.Backends, Backend{Address: address, Node: name, Weight: 1, Up: true})
		}
		services = append(services, service)
	}
	set(b, engine, services...)
	for b.Loop() {
		must(b, engine.SetCosts(slices.Values(costs)))
	}
}

// BenchmarkObserve reads the counts of one service.
func BenchmarkObserve(b *testing.B) {
	engine := newEngine(b)
	set(b, engine, serviceOf(b, tcp4, "a", "b"))
	for b.Loop() {
		_, err := engine.Observe()
		must(b, err)
	}
}
