package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/netspace"
)

// Every name on the host has this prefix and our PID.
const namePrefix = "flbench"

// pins is where BPF engines may pin their maps.
const pins = "/sys/fs/bpf/fairlead-bench"

const (
	netInterface = "eth0"
	servicePort  = 80
	clientHost   = 2
	firstPod     = 20 // host numbers of the balancer pods
)

var (
	hosts    = netip.MustParsePrefix("10.79.0.0/24")
	services = netip.MustParsePrefix("192.0.2.0/24")
	backends = []struct {
		name string
		host byte
	}{{"a", 11}, {"b", 12}}
)

// network is one switch with a client, two backends and a pod per subject. All exist at once: an idle one
// costs nothing and does not affect another's turn.
type network struct {
	name     string
	space    *netspace.Space // of the switch
	client   *netspace.Space
	backends []*netspace.Space
	spaces   []*netspace.Space
	ends     []*exec.Cmd
}

// loadedEnds are the hosts that carry load: replicas also exchange packets.
func (n *network) loadedEnds() []*netspace.Space {
	return append([]*netspace.Space{n.client}, n.backends...)
}

// newSwitch builds the switch, with these settings in addition, and the client. Close it after a failure, too.
func newSwitch(settings map[string]string) (n *network, err error) {
	if err := sweep(); err != nil {
		return nil, err
	}
	n = &network{name: fmt.Sprintf("%s%d-", namePrefix, os.Getpid())}
	if n.space, err = n.newSpace("switch"); err != nil {
		return n, err
	}
	if err := n.space.SetSysctls(settings); err != nil {
		return n, err
	}
	if err := n.addSwitch(); err != nil {
		return n, err
	}
	n.client, err = n.host("client", clientHost)
	return n, err
}

// newNetwork builds all but the pods. Close it after a failure, too.
func newNetwork(ctx context.Context, pods int, settings map[string]string) (n *network, err error) {
	if n, err = newSwitch(settings); err != nil {
		return n, err
	}
	for _, backend := range backends {
		space, err := n.host(backend.name, backend.host)
		if err != nil {
			return n, err
		}
		n.backends = append(n.backends, space)
		if err := space.AddLocal(services); err != nil {
			return n, err
		}
		if err := n.serve(ctx, space, backend.name, backend.host, pods); err != nil {
			return n, err
		}
	}
	return n, nil
}

// addSwitch adds the bridge. With br_netfilter loaded, new namespaces pass bridged packets to the host's firewall,
// which a switch has not.
func (n *network) addSwitch() error {
	if err := n.space.AddBridge("br0"); err != nil {
		return err
	}
	return n.space.Do(func() error {
		for _, each := range []string{"iptables", "ip6tables", "arptables"} {
			err := os.WriteFile("/proc/sys/net/bridge/bridge-nf-call-"+each, []byte("0"), 0)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("disable the firewall of the switch: %w", err)
			}
		}
		return nil
	})
}

// serve starts a backend's process and waits until it listens.
func (n *network) serve(ctx context.Context, space *netspace.Space, name string, host byte, pods int) error {
	addresses := []string{at(hostAddress(host))}
	for i := range pods {
		addresses = append(addresses, at(serviceAddress(i)))
	}
	command := exec.CommandContext(ctx, "/proc/self/exe", "serve", "--name", name,
		"--tcp", at(netip.IPv4Unspecified()), "--udp", strings.Join(addresses, ","))
	if err := n.startEnd(space, command); err != nil {
		return fmt.Errorf("backend %s: %w", name, err)
	}
	return nil
}

// startEnd starts a process that ends with the network, and waits until it reports that it listens.
func (n *network) startEnd(space *netspace.Space, command *exec.Cmd) error {
	command.Stderr = os.Stderr
	output, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := space.StartBound(command); err != nil {
		return err
	}
	n.ends = append(n.ends, command)
	if _, err := output.Read(make([]byte, 64)); err != nil {
		return fmt.Errorf("it ended before it listened: %w", err)
	}
	return nil
}

func (n *network) newSpace(name string) (*netspace.Space, error) {
	space, err := netspace.New(n.name + name)
	if err != nil {
		return nil, err
	}
	n.spaces = append(n.spaces, space)
	return space, nil
}

// host is a namespace with one cable to the switch.
func (n *network) host(name string, host byte) (*netspace.Space, error) {
	space, err := n.newSpace(name)
	if err != nil {
		return nil, err
	}
	// No TIME_WAIT: many flows of a translating balancer come from one address, and a port reused too soon
	// would be rejected by its timestamp (PAWS), which is not the balancer's fault.
	settings := map[string]string{
		"net/ipv4/tcp_max_tw_buckets": "0", "net/ipv4/ip_local_port_range": "10000 65000",
		"net/core/somaxconn": "4096", "net/ipv4/tcp_max_syn_backlog": "4096",
	}
	for _, which := range []string{"all", "default"} {
		for key, value := range map[string]string{
			"rp_filter": "0", "send_redirects": "0", "arp_ignore": "1", "arp_announce": "2", "forwarding": "1",
		} {
			settings["net/ipv4/conf/"+which+"/"+key] = value
		}
	}
	if err := space.SetSysctls(settings); err != nil {
		return nil, err
	}
	return space, netspace.Connect(
		netspace.End{Space: n.space, Interface: name, Bridge: "br0"},
		netspace.End{Space: space, Interface: netInterface, MAC: mac(host),
			Addresses: []netip.Prefix{netip.PrefixFrom(hostAddress(host), hosts.Bits())}},
	)
}

// addNeighbours adds permanent neighbour entries to a host, so that no ARP request delays a measurement and an engine
// that reads the kernel's table finds them.
func addNeighbours(space *netspace.Space, others ...byte) error {
	return addNeighboursAt(space, hostAddress, others...)
}

func addNeighboursAt(space *netspace.Space, address func(byte) netip.Addr, others ...byte) error {
	link, err := space.Links().LinkByName(netInterface)
	if err != nil {
		return err
	}
	for _, other := range others {
		err := space.Links().NeighSet(&netlink.Neigh{
			LinkIndex: link.Attrs().Index, State: netlink.NUD_PERMANENT, IP: address(other).AsSlice(), HardwareAddr: mac(other),
		})
		if err != nil {
			return fmt.Errorf("add a neighbour entry for host %d in %s: %w", other, space.Name, err)
		}
	}
	return nil
}

// Close removes everything; the pods' processes have ended before.
func (n *network) Close() error {
	var errs []error
	for _, end := range n.ends {
		_ = end.Process.Kill()
		_ = end.Wait()
	}
	for _, space := range n.spaces {
		errs = append(errs, space.Delete())
	}
	// Engines emptied these; a folder that isn't empty is in use.
	_ = os.Remove(filepath.Join(pins, strconv.Itoa(os.Getpid())))
	_ = os.Remove(pins)
	return errors.Join(errs...)
}

// sweep removes what a killed benchmark left behind.
func sweep() error {
	names, err := netspace.Names(namePrefix)
	if err != nil {
		return err
	}
	for _, name := range names {
		owner, _, _ := strings.Cut(strings.TrimPrefix(name, namePrefix), "-")
		pid, err := strconv.Atoi(owner)
		if err != nil || unix.Kill(pid, 0) == nil {
			continue
		}
		left, err := netspace.Processes(name)
		if err != nil {
			return err
		}
		for _, process := range left {
			_ = unix.Kill(process, unix.SIGKILL)
		}
		if err := errors.Join(netspace.Delete(name), os.RemoveAll(filepath.Join(pins, owner))); err != nil {
			return err
		}
	}
	return nil
}

func hostAddress(host byte) netip.Addr {
	a := hosts.Addr().As4()
	a[3] = host
	return netip.AddrFrom4(a)
}

func serviceAddress(pod int) netip.Addr {
	a := services.Addr().As4()
	a[3] = byte(pod + 1)
	return netip.AddrFrom4(a)
}

func at(address netip.Addr) string { return netip.AddrPortFrom(address, servicePort).String() }

func mac(host byte) net.HardwareAddr { return net.HardwareAddr{2, 0, 0, 0, 0x4f, host} }
