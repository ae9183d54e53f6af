package replica

import (
	"cmp"
	"net"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/session/message"
)

const (
	sweepEvery  = time.Minute
	sweepSoon   = 2 * time.Second // after a change: a replica that starts learns ids first
	arrivedMost = 2048            // messages: more than companions send for the ids that are awaited
	bufferBytes = 4 << 20         // of a socket, as the kernel counts them: the same messages
)

// learnAll stores the session ids that arrive, until Close. It is a goroutine of its own, because a walk of the map
// takes longer than the answers to searches may wait.
func (r *Replica) learnAll() {
	sweep := time.NewTimer(0)
	sweep.Stop() // until backends are set, the ids are those of a former process
	isSoon := false
	for {
		select {
		case <-r.done:
			return
		case m := <-r.arrived:
			if service := r.serviceAt(m.Service); service != nil {
				r.learn(service, m)
			}
		case <-r.changed:
			if !isSoon {
				isSoon = true
				sweep.Reset(sweepSoon)
			}
		case <-sweep.C:
			isSoon = false
			_ = r.stored.sweepNow() // what fails is tried again
			sweep.Reset(sweepEvery)
		}
	}
}

// queueIDs never waits: ids that don't fit are requested again.
func (r *Replica) queueIDs(m message.Message) {
	select {
	case r.arrived <- m:
	default:
	}
}

// liveIDs returns which ids stay: those of backends that the engine has, as long as clients may use them. Ids of a
// service that isn't placed by session at the moment stay, too: it may be again.
func (r *Replica) liveIDs() func(program.SessionSessionIdEntry) bool {
	lifetimes := map[datapath.Key]time.Duration{}
	for _, s := range *r.services.Load() {
		lifetimes[s.Key] = cmp.Or(s.Lifetime, message.Lifetime)
		if s.WithoutIDs {
			lifetimes[s.Key] = -1
		}
	}
	of, now := r.joint.ServicesByIncarnation(), clock()
	return func(entry program.SessionSessionIdEntry) bool {
		service, ok := of[entry.Place.Incarnation]
		return ok && now-time.Duration(entry.Learnt) < cmp.Or(lifetimes[service], message.Lifetime)
	}
}

// enlarge gives a socket room for all ids that are awaited, even if the host's limit is lower. Without the permission,
// the limit applies, and ids that are lost are requested again.
func enlarge(socket *net.UDPConn) {
	_ = socket.SetReadBuffer(bufferBytes)
	if raw, err := socket.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) {
			_ = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, bufferBytes)
		})
	}
}
