package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/exposition/expositiontest"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

func TestDecapErrors(t *testing.T) {
	for name, c := range map[string]struct {
		arguments []string
		want      string
	}{
		"no source":       {nil, "set the tunnel sources: --from"},
		"no address":      {[]string{"--from=10.0.0"}, `--from: "10.0.0" is neither an address nor a network`},
		"an empty one":    {[]string{"--from=10.0.0.1,"}, `--from: "" is neither an address`},
		"any source":      {[]string{"--from=10.0.0.0/8,::/0"}, "--from: ::/0 accepts any source"},
		"no interface":    {[]string{"--from=10.0.0.1", "--interface=absent0"}, `there is no interface "absent0" here`},
		"one too many":    {[]string{"--from=10.0.0.1", "now"}, `unexpected argument "now"`},
		"unknown flag":    {[]string{"--to=10.0.0.1"}, "flag provided but not defined"},
		"a zone":          {[]string{"--from=fe80::1%eth0"}, "is neither an address nor a network"},
		"a balancer flag": {[]string{"--from=10.0.0.1", "--replica=a"}, "flag provided but not defined"},
	} {
		err := run(t.Context(), append([]string{"decap"}, c.arguments...))
		if err == nil || !errors.As(err, new(refusal)) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestDecapReadsAddressesAndNetworks(t *testing.T) {
	s, err := parseDecap([]string{"--from", "10.0.0.7, fd00::/64,::ffff:10.0.0.8", "--interface=lo"}, environment(nil))
	if err != nil {
		t.Fatal(err)
	}
	want := []netip.Prefix{netip.MustParsePrefix("10.0.0.7/32"), netip.MustParsePrefix("fd00::/64"), netip.MustParsePrefix("10.0.0.8/32")}
	if fmt.Sprint(s.from) != fmt.Sprint(want) {
		t.Errorf("sources are %v, want %v", s.from, want)
	}
}

// A balancer's packets are decapsulated while the command runs; those of other sources aren't.
func TestDecapDecapsulatesPacketsOfBalancers(t *testing.T) {
	privileged.Need(t)
	var ends [2]*netspace.Space
	for i, name := range []string{"backend", "balancer"} {
		space, err := netspace.New(fmt.Sprintf("fldecap%d-%s", os.Getpid(), name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = space.Delete() })
		ends[i] = space
	}
	backend, balancer := ends[0], ends[1]
	if err := netspace.Connect(
		netspace.End{Space: backend, Interface: "eth0", Addresses: []netip.Prefix{netip.MustParsePrefix("10.9.0.1/24")}},
		netspace.End{Space: balancer, Interface: "eth0", Addresses: []netip.Prefix{netip.MustParsePrefix("10.9.0.2/24"), netip.MustParsePrefix("10.9.0.3/24")}},
	); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- backend.Do(func() error {
			return run(ctx, []string{"decap", "--from=10.9.0.2", "--metrics-listen=127.0.0.1:9101"})
		})
	}()
	pages := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: backend.Dial}}
	metrics := func() string {
		answer, err := pages.Get("http://127.0.0.1:9101/metrics")
		if err != nil {
			return ""
		}
		defer answer.Body.Close()
		page, _ := io.ReadAll(answer.Body)
		return string(page)
	}
	waitFor(t, "its page", func() bool { return metrics() != "" })
	for _, from := range []string{"10.9.0.2", "10.9.0.3", "10.9.0.2"} {
		if err := balancer.Do(func() error { return sendInTunnel(from, "10.9.0.1") }); err != nil {
			t.Fatal(err)
		}
	}
	waitFor(t, "two decapsulated and one of an unknown source", func() bool {
		page := metrics()
		return strings.Contains(page, "fairlead_tunnel_packets_unwrapped_total 2\n") && strings.Contains(page, "fairlead_tunnel_packets_unknown_source_total 1\n")
	})
	expositiontest.Lint(t, metrics())
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	_ = backend.Do(func() error {
		eth0, err := backend.Links().LinkByName("eth0")
		if err != nil {
			t.Fatal(err)
		}
		left, err := link.QueryPrograms(link.QueryOptions{Target: eth0.Attrs().Index, Attach: ebpf.AttachTCXIngress})
		if err != nil || len(left.Programs) > 0 {
			t.Errorf("left behind: %+v, %v", left, err)
		}
		return nil
	})
}

// sendInTunnel sends an empty client packet inside a tunnel.
func sendInTunnel(from, to string) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_IPIP)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	if err := unix.Bind(fd, &unix.SockaddrInet4{Addr: netip.MustParseAddr(from).As4()}); err != nil {
		return err
	}
	inner := make([]byte, 20)
	inner[0], inner[3], inner[8], inner[9] = 0x45, 20, 64, unix.IPPROTO_UDP
	return unix.Sendto(fd, inner, 0, &unix.SockaddrInet4{Addr: netip.MustParseAddr(to).As4()})
}
