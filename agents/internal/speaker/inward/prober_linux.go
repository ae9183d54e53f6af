package inward

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/health"
	"fairlead.dev/agents/internal/hostaddress"
	"fairlead.dev/agents/internal/rawip"
)

// Prober probes through one interface.
type Prober struct {
	name  string
	empty *ebpf.Program // passes all frames
	ports ports
}

// Open needs the capabilities of an eBPF data path. The interface is read for each probe: its
// addresses may be added later.
func Open(name string) (*Prober, error) {
	empty, err := ebpf.NewProgram(&ebpf.ProgramSpec{
		Name: "fl_inward", Type: ebpf.XDP, License: "Dual MIT/GPL",
		Instructions: asm.Instructions{asm.Mov.Imm(asm.R0, passes), asm.Return()},
	})
	if err != nil {
		return nil, fmt.Errorf("load the program that receives frames: %w", err)
	}
	return &Prober{name: name, empty: empty}, nil
}

const passes = 2 // XDP_PASS

// Close implements io.Closer.
func (p *Prober) Close() error { return p.empty.Close() }

// Probe probes once. For TCP, any check only needs a connection that would be accepted: the rest is
// between the balancer and the backend.
func (p *Prober) Probe(ctx context.Context, target health.Target) error {
	link, err := net.InterfaceByName(p.name)
	if err != nil {
		return fmt.Errorf("find interface %s: %w", p.name, err)
	}
	addresses, err := hostaddress.Of(p.name)
	if err != nil {
		return err
	}
	own := addresses.Family(target.Address.Is4())
	if !own.IsValid() {
		return fmt.Errorf("%s has no address of this family to probe from", p.name)
	}
	f := rawip.Flow{To: target.AddrPort(), Protocol: rawip.TCP, FirstSegment: rand.Uint32()}
	if target.Check.Kind == health.UDP {
		f.Protocol = rawip.UDP
	}
	port, release, err := p.ports.reserve(own, f.To, f.Protocol)
	if err != nil {
		return err
	}
	defer release()
	f.From = netip.AddrPortFrom(own, port)
	tap, err := rawip.OpenTap(link.Index, rawip.EveryProtocol, port, port)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", p.name, err)
	}
	defer tap.Close()
	entry, leave, err := p.entry(link)
	if err != nil {
		return err
	}
	defer leave()
	return probe(ctx, entry, f, tap, target.Check)
}

// entry is where frames are injected: the empty program, or a data path's own program with native
// XDP, which runs before everything else.
func (p *Prober) entry(link *net.Interface) (in entry, leave func(), err error) {
	in, leave = entry{p.empty, link}, func() {}
	found, err := netlink.LinkByIndex(link.Index)
	if err != nil {
		return in, leave, fmt.Errorf("read interface %s: %w", p.name, err)
	}
	if x := found.Attrs().Xdp; x != nil && x.Attached && x.AttachMode == nl.XDP_ATTACHED_DRV {
		if in.program, err = ebpf.NewProgramFromID(ebpf.ProgramID(x.ProgId)); err != nil {
			return in, leave, fmt.Errorf("open the XDP program of %s, which requires CAP_SYS_ADMIN: %w", p.name, err)
		}
		leave = func() { _ = in.program.Close() }
	}
	return in, leave, nil
}

func probe(ctx context.Context, in entry, f rawip.Flow, tap *rawip.Tap, check health.Check) error {
	if f.Protocol == rawip.UDP {
		if err := in.take(f.Datagram([]byte(check.Send))); err != nil {
			return err
		}
		a, err := answerTo(ctx, tap, f)
		if err == nil && !bytes.HasPrefix(a.Payload, []byte(check.Expect)) {
			err = fmt.Errorf("unexpected answer %.32q", a.Payload)
		}
		return err
	}
	if err := in.take(f.Segment(f.FirstSegment, rawip.SYN)); err != nil {
		return err
	}
	a, err := answerTo(ctx, tap, f)
	if err != nil {
		return err
	}
	if a.Flags&rawip.RST != 0 {
		return errors.New("connection refused")
	}
	return in.take(f.Reset(a))
}

// answerTo waits for the reply.
func answerTo(ctx context.Context, tap *rawip.Tap, f rawip.Flow) (rawip.Answer, error) {
	began := time.Now()
	if err := tap.SetReadDeadline(deadline(ctx)); err != nil {
		return rawip.Answer{}, err
	}
	for {
		a, err := tap.Read()
		if errors.Is(err, os.ErrDeadlineExceeded) {
			err = fmt.Errorf("no answer within %s", time.Since(began).Round(time.Millisecond))
		}
		if err != nil || a.Answers(f) {
			return a, err
		}
	}
}

// entry is a program that receives frames as if from the interface.
type entry struct {
	program *ebpf.Program
	link    *net.Interface
}

// frameContext is struct xdp_md of linux/bpf.h.
type frameContext struct{ data, dataEnd, dataMeta, link, queue, egress uint32 }

func (e entry) take(packet []byte) error {
	frame := frameOf(e.link.HardwareAddr, packet)
	_, err := e.program.Run(&ebpf.RunOptions{
		Data: frame, Context: frameContext{dataEnd: uint32(len(frame)), link: uint32(e.link.Index)}, Flags: unix.BPF_F_TEST_XDP_LIVE_FRAMES,
	})
	if err != nil {
		return fmt.Errorf("inject a frame into %s: %w", e.link.Name, err)
	}
	return nil
}

// frameOf adds an Ethernet header to a packet, from the interface to itself.
func frameOf(link net.HardwareAddr, packet []byte) []byte {
	frame := append(append(make([]byte, 0, 14+len(packet)), link...), link...)
	if packet[0]>>4 == 4 {
		frame = append(frame, 0x08, 0x00)
	} else {
		frame = append(frame, 0x86, 0xdd)
	}
	return append(frame, packet...)
}

// deadline of a probe.
func deadline(ctx context.Context) time.Time {
	if at, has := ctx.Deadline(); has {
		return at
	}
	return time.Now().Add(time.Second)
}
