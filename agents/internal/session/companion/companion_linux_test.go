package companion

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
	"fairlead.dev/agents/internal/session/cookie"
	"fairlead.dev/agents/internal/session/message"
)

func TestPreflightNamesWhatIsMissing(t *testing.T) {
	if err := Preflight(); err != nil {
		t.Errorf("this host is refused: %v", err)
	}
	others, err := program.LoadTcx() // a kernel's types without the function
	must(t, err)
	if err := checkKernel(others.Types); err == nil || !strings.Contains(err.Error(), "Linux 6.9 or newer") {
		t.Errorf("an old kernel: %v", err)
	}
	off := filepath.Join(t.TempDir(), "tcp_syncookies")
	must(t, os.WriteFile(off, []byte("0\n"), 0o600))
	if err := checkCookies(off); err == nil || !strings.Contains(err.Error(), "net.ipv4.tcp_syncookies to 1") {
		t.Errorf("without SYN cookies: %v", err)
	}
}

// host creates a namespace with a link.
func host(t *testing.T) *netspace.Space {
	t.Helper()
	privileged.Need(t)
	var spaces [2]*netspace.Space
	for i, name := range []string{"host", "peer"} {
		space, err := netspace.New(fmt.Sprintf("flcomp%d-%s", os.Getpid(), name))
		must(t, err)
		t.Cleanup(func() { _ = space.Delete() })
		spaces[i] = space
	}
	must(t, netspace.Connect(
		netspace.End{Space: spaces[0], Interface: "eth0", Addresses: []netip.Prefix{netip.MustParsePrefix("10.9.0.1/24"), netip.MustParsePrefix("fd09::1/64")}},
		netspace.End{Space: spaces[1], Interface: "eth0"},
	))
	must(t, spaces[0].AddRoute(netip.MustParsePrefix("0.0.0.0/0"), netip.MustParseAddr("10.9.0.2")))
	must(t, spaces[0].AddRoute(netip.MustParsePrefix("::/0"), netip.MustParseAddr("fd09::2")))
	return spaces[0]
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestProblemsSayWhatKeepsConnectionsAway(t *testing.T) {
	space := host(t)
	var c *Companion
	must(t, space.Do(func() (err error) {
		c, err = Open("eth0", netip.MustParseAddrPort("10.9.0.1:7001"))
		return err
	}))
	defer c.Close()
	keys, err := cookie.Derive([]byte("the key of a cluster"), "exposure")
	must(t, err)
	for _, address := range []netip.AddrPort{netip.MustParseAddrPort("192.0.2.1:443"), netip.MustParseAddrPort("[2001:db8::1]:443")} {
		must(t, c.Set([]Service{{Address: address, Backend: "a", Number: 1, Keys: cookie.Set{Current: keys}}}))
		expect := func(want string) {
			t.Helper()
			problems := strings.Join(c.Problems(), "\n")
			if want == "" && problems != "" || !strings.Contains(problems, want) {
				t.Errorf("%s: %q, want %q", address, problems, want)
			}
		}
		listen := func(multipath bool) net.Listener {
			t.Helper()
			config := net.ListenConfig{}
			config.SetMultipathTCP(multipath)
			var listener net.Listener
			must(t, space.Do(func() (err error) {
				listener, err = config.Listen(t.Context(), "tcp", address.String())
				return err
			}))
			return listener
		}
		expect("the address isn't the host's own")
		must(t, space.AddAddress("lo", netip.PrefixFrom(address.Addr(), address.Addr().BitLen())))
		for deadline := time.Now().Add(5 * time.Second); strings.Contains(strings.Join(c.Problems(), ""), "isn't the host's own"); time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) { // the kernel adds the route of an IPv6 address a moment later
				t.Fatalf("%s isn't local", address)
			}
		}
		expect("no process listens there")
		one := listen(true)
		expect("it listens for MPTCP")
		must(t, one.Close())
		one = listen(false)
		expect("")
		must(t, one.Close())
	}
}

func TestACompanionFindsConnections(t *testing.T) {
	space := host(t)
	var d *diagnosis
	must(t, space.Do(func() (err error) {
		d, err = openDiagnosis()
		return err
	}))
	defer d.close()
	for _, c := range []struct{ listen, service string }{{"127.0.0.1:443", "127.0.0.1:443"}, {"[::1]:443", "[::1]:443"}, {":443", "127.0.0.1:443"}} {
		var listener, conn net.Conn
		var listening net.Listener
		must(t, space.Do(func() (err error) {
			config := net.ListenConfig{}
			config.SetMultipathTCP(false)
			if listening, err = config.Listen(t.Context(), "tcp", c.listen); err != nil {
				return err
			}
			conn, err = net.Dial("tcp", c.service)
			return err
		}))
		listener, err := listening.Accept()
		must(t, err)
		client := netip.MustParseAddrPort(conn.LocalAddr().String())
		service := netip.MustParseAddrPort(c.service)
		if got, err := d.answer(service, client); err != nil || got != message.Has {
			t.Errorf("%s: a connection isn't found: %v", c.listen, err)
		}
		if got, err := d.answer(service, netip.AddrPortFrom(client.Addr(), 1)); err != nil || got != message.HasNot {
			t.Errorf("%s: a connection that isn't there: %d, %v", c.listen, got, err)
		}
		must(t, listening.Close())
		if got, err := d.answer(service, client); err != nil || got != message.Has {
			t.Errorf("%s: a connection isn't found without a listener: %v", c.listen, err)
		}
		must(t, listener.Close())
		must(t, conn.Close())
		for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(time.Millisecond) {
			got, err := d.answer(service, client)
			if err == nil && got == message.Had {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("%s: a connection that ended: %d, %v", c.listen, got, err)
			}
		}
	}
}

// The next process continues with the services and counts of the former one, and removes what only
// another version used.
func TestPinnedProgramsOutliveTheProcess(t *testing.T) {
	space := host(t)
	folder := fmt.Sprintf("/sys/fs/bpf/fairlead-test/companion-%d/backend/one", os.Getpid())
	keys, err := cookie.Derive([]byte("the key of a cluster"), "exposure")
	must(t, err)
	service := Service{Address: netip.MustParseAddrPort("192.0.2.1:443"), Backend: "a", Number: 1, Keys: cookie.Set{Current: keys}}
	start := func() (c *Companion) {
		t.Helper()
		must(t, space.Do(func() (err error) {
			c, err = Start(Options{Interface: "eth0", Listen: netip.MustParseAddrPort("10.9.0.1:7001"), Folder: folder, Services: []Service{service}})
			return err
		}))
		return c
	}
	c := start()
	t.Cleanup(func() { _ = RemovePinned(folder) })
	counts := c.collection.Maps[program.CompanionMapCompanionAccepted]
	each := make([]uint64, ebpf.MustPossibleCPU())
	each[0] = 7 // as if it had accepted some
	must(t, counts.Put(program.ToServiceKey(keyOf(service.Address)), each))
	former := filepath.Join(folder, "maps-00000000")
	must(t, os.Mkdir(former, 0o700))
	copied, err := counts.Clone()
	must(t, err)
	must(t, copied.Pin(filepath.Join(former, program.CompanionMapCompanionAccepted)))
	must(t, copied.Close())
	must(t, c.Close())

	c = start()
	if accepted, err := c.Accepted(); err != nil || accepted[service.Address] != 7 {
		t.Errorf("%v, %v", accepted, err)
	}
	if _, err := os.Stat(former); !os.IsNotExist(err) {
		t.Errorf("maps of another version are still there: %v", err)
	}
	if !c.IsAttached() {
		t.Error("it isn't attached")
	}
	must(t, os.Remove(filepath.Join(folder, program.CompanionProgAcceptSession)))
	if c.IsAttached() {
		t.Error("without its pin, it would end with the process")
	}
	must(t, c.Set(nil))
	if accepted, err := c.Accepted(); err != nil || len(accepted) != 0 {
		t.Errorf("without services: %v, %v", accepted, err)
	}
	must(t, c.Remove())
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("still pinned: %v", err)
	}
}

// One companion has services of both families, and replicas of each have their own address.
func TestReplicasOfBothFamiliesGetMessages(t *testing.T) {
	space := host(t)
	keys, err := cookie.Derive([]byte("the key of a cluster"), "exposure")
	must(t, err)
	for _, listen := range []string{"10.9.0.1:7001", "[fd09::1]:7001"} {
		var c *Companion
		must(t, space.Do(func() (err error) {
			c, err = Open("eth0", netip.MustParseAddrPort(listen))
			return err
		}))
		for _, address := range []string{"10.9.0.1:7002", "[fd09::1]:7002"} {
			replica, service := netip.MustParseAddrPort(address), Service{Address: netip.MustParseAddrPort("192.0.2.1:443"), Backend: "a", Number: 1, Keys: cookie.Set{Current: keys}}
			var socket *net.UDPConn
			must(t, space.Do(func() (err error) {
				socket, err = net.ListenUDP("udp", net.UDPAddrFromAddrPort(replica))
				return err
			}))
			must(t, socket.SetReadDeadline(time.Now().Add(5*time.Second)))
			c.send(&service, message.Message{Kind: message.HasNot, Client: netip.MustParseAddrPort("198.51.100.1:40000")}, replica)
			buffer := make([]byte, 2048)
			n, _, err := socket.ReadFromUDPAddrPort(buffer)
			if err != nil {
				t.Errorf("from %s to %s: %v", listen, address, err)
			} else if got, err := message.OpenAny(service.Keys.Messages(), time.Now(), buffer[:n]); err != nil || got.Kind != message.HasNot {
				t.Errorf("from %s to %s: %v, %v", listen, address, got, err)
			}
			must(t, socket.Close())
		}
		must(t, c.Close())
	}
}

// A Set that failed halfway doesn't hide the counts of the other services.
func TestAServiceWithoutACountHidesNoOther(t *testing.T) {
	space := host(t)
	keys, err := cookie.Derive([]byte("the key of a cluster"), "exposure")
	must(t, err)
	var c *Companion
	must(t, space.Do(func() (err error) {
		c, err = Open("eth0", netip.MustParseAddrPort("10.9.0.1:7001"))
		return err
	}))
	defer c.Close()
	one, other := netip.MustParseAddrPort("192.0.2.1:443"), netip.MustParseAddrPort("192.0.2.2:443")
	must(t, c.Set([]Service{{Address: one, Backend: "a", Number: 1, Keys: cookie.Set{Current: keys}}, {Address: other, Backend: "b", Number: 2, Keys: cookie.Set{Current: keys}}}))
	must(t, c.collection.Maps[program.CompanionMapCompanionAccepted].Delete(program.ToServiceKey(keyOf(one))))
	if accepted, err := c.Accepted(); err != nil || len(accepted) != 1 {
		t.Errorf("%v, %v", accepted, err)
	}
}
