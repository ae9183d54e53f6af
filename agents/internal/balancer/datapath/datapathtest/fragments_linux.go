package datapathtest

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// fragments sends datagrams that are too large for any link. A client that gets a
// packet-too-big error because of a tunnel sends smaller fragments.
func fragments(t *testing.T, tr *trial) {
	const size, answersWithin = 4000, 500 * time.Millisecond
	p := tr.open(t)
	for _, family := range []int{ipv4, ipv6} {
		service := tr.service(family, datapath.UDP)
		t.Run(service.Key.String(), func(t *testing.T) {
			put(t, p, service)
			tr.connectTo(t, service, "a", "b", "c") // whole packets are carried
			before := dropped(t, p)
			received, err := tr.client().sendLong(t, service.Key, size, answersWithin)
			if errors.Is(err, unix.EMSGSIZE) {
				received, err = tr.client().sendLong(t, service.Key, size, answersWithin)
			}
			must(t, err)
			counted := dropped(t, p) - before
			t.Logf("received %q, %d fragments are counted", received, counted)
			if received == "" && counted == 0 {
				t.Error("it is lost without being counted")
			}
			if received != "" && !strings.HasSuffix(received, fmt.Sprint(" ", size)) {
				t.Errorf("%d bytes were sent", size)
			}
		})
	}
}

func dropped(t *testing.T, p *Process) uint64 {
	t.Helper()
	observed, err := p.Observe()
	must(t, err)
	return observed.AllDrops()["fragment"]
}

// sendLong sends one long datagram, and returns the answer, or "" if there is none.
func (c Client) sendLong(t *testing.T, key datapath.Key, size int, patience time.Duration) (string, error) {
	conn, err := c.dial(t.Context(), "udp", netip.AddrPortFrom(key.Address, key.Port).String())
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if _, err := conn.Write(make([]byte, size)); err != nil {
		return "", err
	}
	if err := conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return "", err
	}
	answer := make([]byte, 256)
	n, err := conn.Read(answer)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return "", nil
	}
	return string(answer[:n]), err
}
