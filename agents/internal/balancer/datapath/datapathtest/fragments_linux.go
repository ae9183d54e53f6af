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

// fragments sends and requests datagrams that are too large for any link. A client that
// gets a packet-too-big error because of a tunnel sends smaller fragments.
func fragments(t *testing.T, tr *trial) {
	const size = 4000
	p := tr.open(t)
	for _, family := range []int{ipv4, ipv6} {
		service := tr.service(family, datapath.UDP)
		for _, c := range []struct {
			name     string
			question []byte
			answered func(string) bool
		}{
			{"to the backend", make([]byte, size), func(answer string) bool { return strings.HasSuffix(answer, fmt.Sprint(" ", size)) }},
			{"to the client", fmt.Append(nil, "give ", size), func(answer string) bool { return answer == string(pattern(size)) }},
		} {
			t.Run(fmt.Sprint(service.Key, " ", c.name), func(t *testing.T) {
				put(t, p, service)
				tr.connectTo(t, service, "a", "b", "c") // whole packets are carried
				before := dropped(t, p)
				received, err := tr.client().sendLong(t, service.Key, c.question)
				if errors.Is(err, unix.EMSGSIZE) {
					received, err = tr.client().sendLong(t, service.Key, c.question)
				}
				must(t, err)
				counted := dropped(t, p) - before
				t.Logf("received %d bytes, %d fragments are counted", len(received), counted)
				if received == "" && counted == 0 {
					t.Error("it is lost without being counted")
				}
				if received != "" && !c.answered(received) {
					t.Errorf("received %.40q", received)
				}
			})
		}
	}
}

func dropped(t *testing.T, p *Process) uint64 {
	t.Helper()
	observed, err := p.Observe()
	must(t, err)
	return observed.AllDrops()["fragment"]
}

// sendLong sends one datagram, and returns the answer, or "" if there is none.
func (c Client) sendLong(t *testing.T, key datapath.Key, datagram []byte) (string, error) {
	const answersWithin = 500 * time.Millisecond
	conn, err := c.dial(t.Context(), "udp", netip.AddrPortFrom(key.Address, key.Port).String())
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if _, err := conn.Write(datagram); err != nil {
		return "", err
	}
	if err := conn.SetReadDeadline(time.Now().Add(answersWithin)); err != nil {
		return "", err
	}
	answer := make([]byte, 1<<16)
	n, err := conn.Read(answer)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return "", nil
	}
	return string(answer[:n]), err
}
