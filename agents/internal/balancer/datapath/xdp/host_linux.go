package xdp

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/link"
	"github.com/cilium/ebpf/rlimit"
	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/neighbour"
)

// Peer is the host's end of a pod's veth, prepared for XDP.
type Peer struct {
	program *ebpf.Program
	link    link.Link
}

// PreparePeer prepares the end of a veth in the current namespace. Its checksum offload
// stays off; Close removes the program.
func PreparePeer(name string) (*Peer, error) {
	found, err := netlink.LinkByName(name)
	if err != nil {
		return nil, fmt.Errorf("find interface %q: %w", name, err)
	}
	if _, err := offload(name, unix.ETHTOOL_STXCSUM, 0); err != nil {
		return nil, err
	}
	if err := rlimit.RemoveMemlock(); err != nil {
		return nil, fmt.Errorf("lift the limit of locked memory: %w", err)
	}
	const pass = 2 // XDP_PASS
	program, err := ebpf.NewProgram(&ebpf.ProgramSpec{
		Name: "pass", Type: ebpf.XDP, License: "GPL",
		Instructions: asm.Instructions{asm.Mov.Imm(asm.R0, pass), asm.Return()},
	})
	if err != nil {
		return nil, fmt.Errorf("load a program that passes everything: %w", err)
	}
	attached, err := link.AttachXDP(link.XDPOptions{Program: program, Interface: found.Attrs().Index, Flags: link.XDPDriverMode})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("attach to %s: %w", name, err), program.Close())
	}
	return &Peer{program: program, link: attached}, nil
}

// Close removes the program.
func (p *Peer) Close() error { return errors.Join(p.link.Close(), p.program.Close()) }

// offloads reports whether a device of another namespace leaves checksums to hardware.
func offloads(space netns.NsHandle, name string) (on bool, err error) {
	err = neighbour.Within(space, func() error {
		value, err := offload(name, unix.ETHTOOL_GTXCSUM, 0)
		on = value != 0
		return err
	})
	return on, err
}

// offload gets or sets one ethtool value of a device.
func offload(name string, command, value uint32) (uint32, error) {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, fmt.Errorf("open a socket: %w", err)
	}
	defer unix.Close(socket)
	data := struct{ command, value uint32 }{command, value}
	request := struct {
		name [unix.IFNAMSIZ]byte
		data unsafe.Pointer
		rest [16]byte
	}{data: unsafe.Pointer(&data)}
	copy(request.name[:unix.IFNAMSIZ-1], name)
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(socket), unix.SIOCETHTOOL, uintptr(unsafe.Pointer(&request))); errno != 0 {
		return 0, fmt.Errorf("get or set the checksum offload of %s: %w", name, errno)
	}
	return data.value, nil
}
