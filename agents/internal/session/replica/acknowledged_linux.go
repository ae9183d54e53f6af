package replica

import (
	"bytes"
	"sync"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/steering"
)

const (
	keptSpan    = lacksSpan              // how long they are kept after they were sent; then the connection is searched
	resendEvery = 100 * time.Millisecond // a client sends again what it has later than that
	keptMost    = 256                    // hellos
	keptBytes   = 2 << 20
)

// acknowledged are hellos that were sent to their backend, and of which a part was acknowledged: their clients
// no longer have it, so a packet that is lost on the way to the backend has to be sent again from here.
type acknowledged struct {
	mutex  sync.Mutex
	byFlow map[program.FlowKey]*keptHello
	bytes  int
}

type keptHello struct {
	packets []*steering.Packet
	bytes   int
	placed  uint64 // when the placement of the connection ends, which no other one on its ports has
	sent    time.Time
	resent  time.Time
}

// keep keeps a hello that is about to be sent. If there is no room, it is sent only once.
func (a *acknowledged) keep(p *partial, placed uint64, now time.Time) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.forget(p.key)
	if len(a.byFlow) >= keptMost || a.bytes+p.bytes > keptBytes {
		return
	}
	kept := &keptHello{bytes: p.bytes, placed: placed, sent: now}
	for _, one := range p.parts { // sending changes a packet
		packet := *one.packet
		packet.Frame = bytes.Clone(packet.Frame)
		kept.packets = append(kept.packets, &packet)
	}
	a.byFlow[p.key] = kept
	a.bytes += p.bytes
}

// resend sends a hello again to a backend that lacks the connection. Several of the first packets may be reported,
// but the hello is sent for one of them only.
func (a *acknowledged) resend(key program.FlowKey, placed uint64, now time.Time, send func(*steering.Packet) error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	kept := a.byFlow[key]
	switch {
	case kept == nil || now.Sub(kept.resent) < resendEvery:
		return
	case kept.placed != placed:
		a.forget(key)
		return
	}
	kept.sent, kept.resent = now, now
	for _, packet := range kept.packets {
		_ = send(packet)
	}
}

// expire forgets hellos that were sent long ago.
func (a *acknowledged) expire(now time.Time) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	for key, kept := range a.byFlow {
		if now.Sub(kept.sent) > keptSpan {
			a.forget(key)
		}
	}
}

func (a *acknowledged) forget(key program.FlowKey) {
	if kept := a.byFlow[key]; kept != nil {
		a.bytes -= kept.bytes
		delete(a.byFlow, key)
	}
}

// placedUntil returns when the placement of a connection ends; 0 if the connection was forgotten, as by a SYN on
// its ports.
func (r *Replica) placedUntil(key program.FlowKey) uint64 {
	var steered program.SteeredFlow
	if r.joint.Maps[program.TcxMapSteeredFlows].Lookup(key, &steered) != nil {
		return 0
	}
	return steered.Until
}

// sendAgain sends a hello again that its backend lacks, if its client no longer can.
func (r *Replica) sendAgain(key program.FlowKey) {
	r.acknowledged.resend(key, r.placedUntil(key), time.Now(), r.joint.Steering.Send)
}
