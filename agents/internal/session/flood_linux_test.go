package session_test

import (
	"encoding/binary"
	"errors"
	"net/netip"
	"testing"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/rawip"
)

// flood sends SYNs from this many addresses of no client.
func (l *lab) flood(t *testing.T, from, count int) {
	t.Helper()
	must(t, l.network.Client.Do(func() error {
		socket, err := unix.Socket(unix.AF_INET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.IPPROTO_RAW)
		if err != nil {
			return err
		}
		defer unix.Close(socket)
		for i := range count {
			address := binary.BigEndian.AppendUint32(nil, 198<<24|18<<16|uint32(from+i))
			source, _ := netip.AddrFromSlice(address)
			flow := rawip.Flow{From: netip.AddrPortFrom(source, 1024), To: netip.AddrPortFrom(addresses[0], port), Protocol: rawip.TCP}
			err = errors.Join(err, unix.Sendto(socket, flow.Segment(uint32(i), rawip.SYN), 0, &unix.SockaddrInet4{Addr: addresses[0].As4()}))
		}
		return err
	}))
}
