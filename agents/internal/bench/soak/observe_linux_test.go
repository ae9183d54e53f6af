package soak

import (
	"net/netip"
	"os"
	"testing"
	"time"
	"unsafe"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/privileged"
)

func TestAnOpenFileIsCounted(t *testing.T) {
	before, after := Held{}, Held{}
	if err := before.process("us", os.Getpid()); err != nil {
		t.Fatal(err)
	}
	open, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	if err := after.process("us", os.Getpid()); err != nil {
		t.Fatal(err)
	}
	if got, want := after["file descriptors"]["us"], before["file descriptors"]["us"]+1; got != want {
		t.Errorf("%d files are open, want %d", got, want)
	}
	if after["threads"]["us"] < 2 || after["KiB of memory"]["us"] < 1000 {
		t.Errorf("%v", after)
	}
}

func TestOnlyExpiredFlowsCountAsLeft(t *testing.T) {
	privileged.Need(t)
	const ended = uint8(program.TcxFlowFlagsCLOSING)
	for _, test := range []struct {
		name, table string
		protocol    datapath.Protocol
		flags       uint8
		age         time.Duration
		connected   bool
		what        string // it counts as; "" for nothing
	}{
		{"an open connection", "connections", datapath.TCP, 0, time.Hour, true, ""},
		{"one that ended at another replica", "connections", datapath.TCP, 0, time.Hour, false, "connections that ended elsewhere"},
		{"one that ended just now", "connections", datapath.TCP, ended, 50 * time.Second, false, ""},
		{"one that ended long ago", "connections", datapath.TCP, ended, 2 * time.Minute, false, "map entries"},
		{"one that ended a moment ahead of our clock", "connections", datapath.TCP, ended, -1 << program.TcxLimitsSEEN_SHIFT, false, ""},
		{"recent datagrams", "connections", datapath.UDP, 0, 4 * time.Minute, false, ""},
		{"old datagrams", "connections", datapath.UDP, 0, 6 * time.Minute, false, "map entries"},
		{"a recently learnt flow", "learnt", datapath.TCP, 0, 14 * time.Minute, false, ""},
		{"a flow learnt long ago", "learnt", datapath.TCP, 0, 16 * time.Minute, false, "map entries"},
		{"a SYN that may be repeated", "half_open", datapath.TCP, 0, time.Minute, false, ""},
		{"an old SYN", "half_open", datapath.TCP, 0, 3 * time.Minute, false, "map entries"},
	} {
		t.Run(test.name, func(t *testing.T) {
			key := program.TcxFlowKey{Protocol: uint8(test.protocol), ClientPort: 0x3412, ServicePort: 80}
			key.Client.Word = [4]uint32{0, 0, 0xffff0000, 0x020112c6} // ::ffff:198.18.1.2 on a little-endian host
			flow := program.TcxFlow{Seen: seenNow() - uint32(test.age>>program.TcxLimitsSEEN_SHIFT), Flags: test.flags}
			table, err := ebpf.NewMap(&ebpf.MapSpec{
				Type: ebpf.LRUHash, KeySize: uint32(unsafe.Sizeof(key)), ValueSize: uint32(unsafe.Sizeof(flow)), MaxEntries: 1024,
			})
			if err != nil {
				t.Fatal(err)
			}
			defer table.Close()
			if err := table.Put(key, flow); err != nil {
				t.Fatal(err)
			}
			clients := map[netip.AddrPort]bool{}
			if test.connected {
				clients[netip.MustParseAddrPort("198.18.1.2:4660")] = true
			}
			held := Held{}
			if err := held.entries("lb-1", test.table, table, clients); err != nil {
				t.Fatal(err)
			}
			if len(held) > 1 || test.what == "" && len(held) > 0 || test.what != "" && len(held[test.what]) != 1 {
				t.Errorf("%v, want %q", held, test.what)
			}
		})
	}
}
