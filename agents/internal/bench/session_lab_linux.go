package bench

import (
	"bytes"
	"errors"
	"net/netip"
	"os/exec"

	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/session/cookie"
	"fairlead.dev/agents/internal/session/keys"
)

const (
	securePort    = 443
	companionPort = 7446
	messagePort   = 7447 // of replicas

	firstBackend = 11  // host number
	noHost       = 250 // packets to it are lost
)

var (
	hosts6    = netip.MustParsePrefix("fd79::/64")
	services6 = netip.MustParsePrefix("2001:db8::/64")

	// sessionHosts are the names of all backends; the last ones are added and removed.
	sessionHosts = []string{"a", "b", "c", "d", "e"}
)

const usualBackends = 3

// sessionLab is a switch with a client, TLS servers with their companions, two replicas that choose by session,
// and a pod for each other subject. All subjects have the same servers.
type sessionLab struct {
	*network
	folder     string
	epoch      keys.Epoch // of the ticket keys of all servers
	cookies    cookie.Set
	servers    []*exec.Cmd // nginx, by backend
	companions []*process
	replicas   [2]*sessionReplica
	plain      bool // the replicas also have a service that isn't by session
}

// backendServer starts the server of a backend, with its name and the file of its certificate, and waits until it listens.
type backendServer func(l *sessionLab, space *netspace.Space, name, certificate string) error

// newSessionLab starts the servers. Close it after a failure, too.
func newSessionLab(clusterKey []byte, folder string, serve backendServer) (l *sessionLab, err error) {
	l = &sessionLab{folder: folder, epoch: keys.NewEpoch(1)}
	if l.cookies.Current, err = cookie.Derive(clusterKey, "exposure"); err != nil {
		return l, err
	}
	if l.network, err = newSwitch(nil); err != nil {
		return l, err
	}
	err = errors.Join(addIPv6(l.client, clientHost), addNeighbours(l.client, noHost), addNeighboursAt(l.client, hostAddress6, noHost))
	if err != nil {
		return l, err
	}
	certificate, err := l.certify()
	if err != nil {
		return l, err
	}
	for i, name := range sessionHosts {
		if err := l.addBackend(i, name, certificate, serve); err != nil {
			return l, err
		}
	}
	return l, nil
}

// addPod adds the pod of a balancer, and routes the clients of its service to it.
func (l *sessionLab) addPod(number int, name string, service int) (*pod, error) {
	host := byte(firstPod + number)
	space, err := l.host(name, host)
	if err != nil {
		return nil, err
	}
	p := &pod{network: l.network, space: space, host: host, end: name, service: serviceAddress(service), port: securePort, folder: l.folder}
	for i, name := range sessionHosts[:usualBackends] {
		p.ends = append(p.ends, backendEnd{name, netip.AddrPortFrom(hostAddress(backendHost(i)), securePort)})
	}
	others := []byte{clientHost}
	for i := range sessionHosts {
		others = append(others, backendHost(i))
	}
	return p, errors.Join(
		space.SetSysctl("net/ipv6/conf/all/forwarding", "1"), addIPv6(space, host),
		space.AddLocal(netip.PrefixFrom(p.service, 32)), space.AddLocal(netip.PrefixFrom(serviceAddress6(service), 128)),
		addNeighbours(space, others...), addNeighboursAt(space, hostAddress6, others...),
		l.routeTo(service, host))
}

// routeTo routes a service's clients to a host.
func (l *sessionLab) routeTo(service int, host byte) error {
	return errors.Join(
		l.client.AddRoute(netip.PrefixFrom(serviceAddress(service), 32), hostAddress(host)),
		l.client.AddRoute(netip.PrefixFrom(serviceAddress6(service), 128), hostAddress6(host)))
}

// Close removes everything.
func (l *sessionLab) Close() error {
	var errs []error
	for _, r := range l.replicas {
		if r != nil {
			errs = append(errs, r.stop())
		}
	}
	for _, c := range l.companions {
		errs = append(errs, c.stop())
	}
	for _, server := range l.servers {
		errs = append(errs, end(server, &bytes.Buffer{}))
	}
	if l.network != nil {
		errs = append(errs, l.network.Close())
	}
	return errors.Join(errs...)
}

func addIPv6(space *netspace.Space, host byte) error {
	return space.AddAddress(netInterface, netip.PrefixFrom(hostAddress6(host), hosts6.Bits()))
}

func backendHost(index int) byte { return byte(firstBackend + index) }

func hostAddress6(host byte) netip.Addr { return lastByte(hosts6, host) }

func serviceAddress6(pod int) netip.Addr { return lastByte(services6, byte(pod+1)) }

func lastByte(prefix netip.Prefix, value byte) netip.Addr {
	a := prefix.Addr().As16()
	a[15] = value
	return netip.AddrFrom16(a)
}
