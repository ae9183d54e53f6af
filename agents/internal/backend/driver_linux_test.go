package backend

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vishvananda/netlink"

	"fairlead.dev/agents/internal/agent/agenttest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/netspace"
)

func TestContract(t *testing.T) {
	agenttest.Contract(t, func(t *testing.T) agenttest.Case[Desired, Observed] {
		h := newHost(t)
		space := h.instance(t, "a", "10.9.0.1/24", "fd09::1/64")
		first := serverAt(t, "10.9.0.1", services[0])
		second := serverAt(t, "fd09::1", services[1])
		serve(t, space, services[0], false)
		d := h.driver(t)
		t.Cleanup(func() { off(t, h.driver(t)) }) // the contract closes the driver
		return agenttest.Case[Desired, Observed]{
			Driver: d, First: Desired{On: true, Servers: []Server{first}}, Second: Desired{On: true, Servers: []Server{second}},
			Shows: func(observed Observed, desired Desired) bool {
				until(t, d, "it is ready", func() bool { return strings.HasPrefix(status(t, d, desired.Servers[0]), "true") })
				for i, service := range services {
					if has(t, space, service.Addr()) != (desired.Servers[0].Service == service) {
						t.Errorf("the address of service %d", i)
					}
				}
				return true
			},
			Damage: func() {
				link, err := space.Links().LinkByName("lo")
				must(t, err)
				address, err := netlink.ParseAddr("192.0.2.1/32")
				must(t, err)
				must(t, space.Links().AddrDel(link, address))
			},
		}
	})
}

func TestAStatusSaysWhatKeepsConnectionsAway(t *testing.T) {
	h := newHost(t)
	own := []string{"10.9.0.1", "fd09::1"}
	for i, service := range services {
		d := h.driver(t)
		s := serverAt(t, own[i], service)
		expect := func(want string) {
			t.Helper()
			until(t, d, want, func() bool { return strings.Contains(status(t, d, s), want) })
		}
		set(t, d, s)
		expect("has the address " + own[i] + " on an interface other than loopback: the instance has ended, or")
		space := h.instance(t, fmt.Sprintf("a%d", i), "10.9.0.1/24", "fd09::1/64")
		expect("false " + netip.AddrPortFrom(s.Own, 7446).String() + " The server accepts no connection to " + service.String() + ": no process listens there")
		one := serve(t, space, service, true)
		expect("it listens for MPTCP; turn that off")
		must(t, one.Close())
		one = serve(t, space, service, false)
		expect("true " + netip.AddrPortFrom(s.Own, 7446).String() + " ")
		must(t, space.SetSysctl("net/ipv4/tcp_syncookies", "0"))
		expect("false " + netip.AddrPortFrom(s.Own, 7446).String() + " SYN cookies are off in the server's network namespace")
		must(t, space.SetSysctl("net/ipv4/tcp_syncookies", "1"))
		expect("true ")
		twin := h.instance(t, fmt.Sprintf("twin%d", i), netip.PrefixFrom(s.Own, s.Own.BitLen()).String())
		expect("Several network namespaces of this node have the address " + own[i])
		must(t, twin.Delete())
		expect("true ")
		must(t, one.Close())
		must(t, space.Delete()) // the instance ends, but the driver has its namespace open
		expect("the instance has ended, or")
		if len(d.places) != 0 {
			t.Errorf("%d namespaces are still open", len(d.places))
		}
		off(t, d)
	}
}

func TestAnAddressThatSomeoneElseAddedStays(t *testing.T) {
	h := newHost(t)
	space := h.instance(t, "a", "10.9.0.1/24", "fd09::1/64")
	must(t, space.AddAddress("lo", netip.PrefixFrom(services[0].Addr(), 32)))
	d := h.driver(t)
	set(t, d, serverAt(t, "10.9.0.1", services[0]), serverAt(t, "fd09::1", services[1]))
	if !has(t, space, services[1].Addr()) {
		t.Error("the other address is missing")
	}
	off(t, d)
	if !has(t, space, services[0].Addr()) || has(t, space, services[1].Addr()) {
		t.Error("not exactly the added address was removed")
	}
}

func TestTheNextProcessContinues(t *testing.T) {
	h := newHost(t)
	a, b := h.instance(t, "a", "10.9.0.1/24"), h.instance(t, "b", "10.9.0.2/24")
	one, other := serverAt(t, "10.9.0.1", services[0]), serverAt(t, "10.9.0.2", services[0])
	serve(t, a, services[0], false)
	d := h.driver(t)
	set(t, d, one, other)
	programs := attachedTo(t, a)
	if len(programs) != programsEach {
		t.Fatalf("%d programs are attached", len(programs))
	}
	must(t, d.Close())
	if left := attachedTo(t, a); !slices.Equal(left, programs) {
		t.Errorf("after the process, %v are attached, and %v were", left, programs)
	}

	d = h.driver(t)
	set(t, d, one)
	if now := attachedTo(t, a); len(now) != programsEach {
		t.Errorf("%d programs are attached", len(now))
	}
	if !has(t, a, services[0].Addr()) || has(t, b, services[0].Addr()) {
		t.Error("not exactly the address of the removed server was removed")
	}
	if left := attachedTo(t, b); len(left) != 0 {
		t.Errorf("%v are attached for a server that was removed", left)
	}
	until(t, d, "the server is ready", func() bool { return strings.HasPrefix(status(t, d, one), "true") })
	off(t, d)
	if left := attachedTo(t, a); len(left) != 0 || has(t, a, services[0].Addr()) {
		t.Errorf("%v are attached after all servers were removed", left)
	}
}

// Another boot has other namespaces, and their numbers may be the same.
func TestAddressesOfAnotherBootAreForgotten(t *testing.T) {
	h := newHost(t)
	space := h.instance(t, "a", "10.9.0.1/24")
	d := h.driver(t)
	set(t, d, serverAt(t, "10.9.0.1", services[0]))
	must(t, d.Close())
	file := filepath.Join(h.state, addressesFile)
	data, err := os.ReadFile(file)
	must(t, err)
	boot, err := bootID()
	must(t, err)
	must(t, os.WriteFile(file, []byte(strings.ReplaceAll(string(data), boot, "another")), 0o600))
	off(t, h.driver(t))
	if !has(t, space, services[0].Addr()) {
		t.Error("an address was removed that this boot's agents didn't add")
	}
}

// A program that others detach is attached again, and a detached one isn't reported as ready for long.
func TestADetachedProgramIsAttachedAgain(t *testing.T) {
	h := newHost(t)
	space := h.instance(t, "a", "10.9.0.1/24")
	serve(t, space, services[0], false)
	s := serverAt(t, "10.9.0.1", services[0])
	d := h.driver(t)
	set(t, d, s)
	folders, err := os.ReadDir(h.pins)
	must(t, err)
	for _, name := range []string{"accept_session", "unwrap"} {
		must(t, detach(filepath.Join(h.pins, folders[0].Name(), name)))
		if len(attachedTo(t, space)) != programsEach-1 {
			t.Fatalf("%s is still attached", name)
		}
		until(t, d, "it is attached", func() bool { return len(attachedTo(t, space)) == programsEach })
		until(t, d, "the server is ready", func() bool { return strings.HasPrefix(status(t, d, s), "true") })
	}
	off(t, d)
}

// Otherwise hosts of the other network would send the balancers' packets to this server.
func TestAServiceAddressIsQuietOnEachInterfaceWithServers(t *testing.T) {
	h := newHost(t)
	space, peer := h.instance(t, "a", "10.9.0.1/24"), h.instance(t, "b")
	must(t, netspace.Connect(
		netspace.End{Space: space, Interface: "eth1", Addresses: []netip.Prefix{netip.MustParsePrefix("10.8.0.1/24")}},
		netspace.End{Space: peer, Interface: "eth1"}))
	d := h.driver(t)
	set(t, d, serverAt(t, "10.8.0.1", services[0]), serverAt(t, "10.9.0.1", services[0]))
	must(t, space.Do(func() error {
		for _, iface := range []string{"eth0", "eth1"} {
			for name, least := range quiet {
				if !isAtLeast(settingPath(iface, name), least) {
					t.Errorf("%s of %s isn't %s", name, iface, least)
				}
			}
		}
		return nil
	}))
	off(t, d)
}

func TestAServerWithoutIPv6SaysHowToTurnItOn(t *testing.T) {
	h := newHost(t)
	space := h.instance(t, "a", "10.9.0.1/24")
	must(t, space.SetSysctl("net/ipv6/conf/lo/disable_ipv6", "1"))
	d, s := h.driver(t), serverAt(t, "10.9.0.1", services[1])
	set(t, d, s)
	if got := status(t, d, s); !strings.Contains(got, "set net.ipv6.conf.lo.disable_ipv6 to 0.") {
		t.Error(got)
	}
	off(t, d)
}

func TestAServerWithAnInvalidSpecIsReported(t *testing.T) {
	h := newHost(t)
	d := h.driver(t)
	desired, err := ParseDesired(configOf(server(nil), server(func(s *agentv1.BackendServer) { s.BackendId, s.OwnAddress, s.Port = "bk_2", "10.9.0.2", 0 })))
	must(t, err)
	for range 2 {
		_, err = d.Set(t.Context(), desired)
		must(t, err)
		if got := ticketStatus(t, d, "bk_2"); got.GetReady() || got.GetMessage() != "Its spec is invalid: port 0 can't be connected to; give 1 to 65535." {
			t.Errorf("reported as %v", got)
		}
		if got := ticketStatus(t, d, "bk_1"); !strings.Contains(got.GetMessage(), "the instance has ended") {
			t.Errorf("the other is reported as %v", got)
		}
	}
	off(t, d)
}
