package bench

import (
	"errors"
	"fmt"
	"net/netip"
	"os"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/session/replica"
)

// The largest segments on a cable, by family.
var segments = [2]uint16{1460, 1440}

// sessionReplica is a replica that chooses by session, in its pod.
type sessionReplica struct {
	*process
	pod *pod
}

// sessionBackend is a backend of the service that is by session.
type sessionBackend struct {
	index   int
	leaving bool // no new connections
}

// usual are the backends between changes.
func usual() (list []sessionBackend) {
	for i := range usualBackends {
		list = append(list, sessionBackend{index: i})
	}
	return list
}

func messagesOf(number int) netip.AddrPort {
	return netip.AddrPortFrom(hostAddress(byte(firstPod+number)), messagePort)
}

// startReplica starts a replica in its pod, with these backends.
func (l *sessionLab) startReplica(number int, p *pod, backends []sessionBackend) error {
	e, err := startEngine(EngineOptions{Engine: tcx, Sessions: messagesOf(number).String()}, p)
	if err != nil {
		return err
	}
	l.replicas[number] = &sessionReplica{e, p}
	return l.setReplica(number, backends)
}

func (l *sessionLab) setReplica(number int, backends []sessionBackend) error {
	_, err := l.replicas[number].order(l.carried(backends))
	return err
}

// setReplicas replaces the backends at both replicas.
func (l *sessionLab) setReplicas(backends []sessionBackend) error {
	return errors.Join(l.setReplica(0, backends), l.setReplica(1, backends))
}

// killReplica ends a replica as a failure of its node does: nothing stays in its kernel, and no packet arrives.
func (l *sessionLab) killReplica(number int) error {
	r := l.replicas[number]
	if err := errors.Join(l.space.Down(r.pod.end), r.command.Process.Kill()); err != nil {
		return fmt.Errorf("kill replica %d: %w", number, err)
	}
	_ = r.command.Wait() // it was killed
	return os.RemoveAll(r.pod.pins())
}

// restartReplica starts a killed replica.
func (l *sessionLab) restartReplica(number int, backends []sessionBackend) error {
	p := l.replicas[number].pod
	if err := l.space.Up(p.end); err != nil {
		return err
	}
	return l.startReplica(number, p, backends)
}

// carried is the service in both families.
func (l *sessionLab) carried(backends []sessionBackend) (wanted carried) {
	for family, service := range []netip.Addr{serviceAddress(sessionService), serviceAddress6(sessionService)} {
		key := datapath.Key{Address: service, Port: securePort, Protocol: datapath.TCP}
		packets := datapath.Service{Key: key, Delivery: datapath.Direct, Chooser: datapath.BySession}
		sessions := replica.Service{Key: key, Keys: l.cookies, MSS: segments[family]}
		for _, b := range backends {
			name, host, state := sessionHosts[b.index], backendHost(b.index), datapath.Active
			if b.leaving {
				state = datapath.Draining
			}
			address := []netip.Addr{hostAddress(host), hostAddress6(host)}[family]
			packets.Backends = append(packets.Backends, datapath.Backend{ID: name, Address: address, Port: securePort, Weight: 1, State: state, Up: true})
			sessions.Backends = append(sessions.Backends, replica.Backend{
				ID: name, Number: uint8(b.index + 1), Names: [][replica.NameBytes]byte{l.epoch.Name(name)}, Resumes: !b.leaving,
				Companion: netip.AddrPortFrom(hostAddress(host), companionPort),
			})
		}
		wanted.Services, wanted.Sessions = append(wanted.Services, packets), append(wanted.Sessions, sessions)
	}
	if l.plain {
		wanted.Services = append(wanted.Services, l.plainService())
	}
	return wanted
}
