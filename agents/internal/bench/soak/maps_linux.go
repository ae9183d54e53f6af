package soak

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"time"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// pinned is where balancers pin maps, in a folder for each namespace.
const pinned = "/sys/fs/bpf/fairlead"

// After these times no packet of a flow can arrive, and a balancer has had time for a sweep.
const (
	overAfterEnd = time.Minute + 15*time.Second // its client closed it
	overUDP      = 5*time.Minute + 15*time.Second
	overLearnt   = 15*time.Minute + 15*time.Second
	overHalfOpen = 130*time.Second + 15*time.Second // the last SYN retransmission of a client
)

// maps counts one balancer's map entries. Clients are those with an open connection.
func (h Held) maps(where, namespace string, clients map[netip.AddrPort]bool) error {
	root := filepath.Join(pinned, namespace)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || entry != nil && entry.IsDir() {
			return nil
		}
		if err != nil {
			return err
		}
		h.add("pinned objects", where, 1)
		m, err := ebpf.LoadPinnedMap(path, &ebpf.LoadPinOptions{ReadOnly: true})
		if err != nil {
			return nil // a link, or a program
		}
		defer m.Close()
		return h.entries(where, filepath.Base(path), m, clients)
	})
	if err != nil {
		return fmt.Errorf("read the folder %s: %w", root, err)
	}
	return nil
}

func (h Held) entries(where, name string, m *ebpf.Map, clients map[netip.AddrPort]bool) error {
	switch name {
	case "connections", "learnt", "half_open":
		return h.flows(where, name, m, clients)
	case "backends":
		var slot uint32
		var backend program.TcxBackend
		all := m.Iterate()
		for all.Next(&slot, &backend) {
			if backend.Incarnation != 0 {
				h.add("map entries", where+" backends", 1)
			}
		}
		return all.Err()
	}
	switch m.Type() {
	case ebpf.Hash, ebpf.LRUHash, ebpf.ArrayOfMaps:
	default:
		return nil // arrays have no entries that could leak
	}
	key, value := make([]byte, m.KeySize()), make([]byte, m.ValueSize())
	all := m.Iterate()
	for all.Next(&key, &value) {
		h.add("map entries", where+" "+name, 1)
	}
	return all.Err()
}

// flows counts expired flows that still exist. A connection that moved to another replica ends there, without
// a packet to this one.
func (h Held) flows(where, name string, m *ebpf.Map, clients map[netip.AddrPort]bool) error {
	var key program.TcxFlowKey
	var flow program.TcxFlow
	now := seenNow()
	all := m.Iterate()
	for all.Next(&key, &flow) {
		age := time.Duration(int32(now-flow.Seen)) << program.TcxLimitsSEEN_SHIFT // negative for entries a program updated in the meantime
		limit := map[string]time.Duration{"learnt": overLearnt, "half_open": overHalfOpen}[name]
		switch {
		case limit != 0:
		case key.Protocol == uint8(datapath.UDP):
			limit = overUDP
		case flow.Flags&uint8(program.TcxFlowFlagsCLOSING) != 0:
			limit = overAfterEnd
		case !clients[clientOf(key)]:
			h.add("connections that ended elsewhere", where, 1)
			continue
		default:
			continue
		}
		if age > limit {
			h.add("map entries", where+" "+name, 1)
		}
	}
	return all.Err()
}

func clientOf(key program.TcxFlowKey) netip.AddrPort {
	var address [16]byte
	for i, word := range key.Client.Word {
		binary.NativeEndian.PutUint32(address[4*i:], word)
	}
	var port [2]byte
	binary.NativeEndian.PutUint16(port[:], key.ClientPort)
	return netip.AddrPortFrom(netip.AddrFrom16(address).Unmap(), binary.BigEndian.Uint16(port[:]))
}

func seenNow() uint32 {
	var now unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) // can't fail with these arguments
	return uint32(now.Nano() >> program.TcxLimitsSEEN_SHIFT)
}

// files counts all files below a folder, sockets and links included.
func files(root string) (count int64, err error) {
	err = filepath.WalkDir(root, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			count++
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it was removed in the meantime
		}
		return err
	})
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	return count, err
}
