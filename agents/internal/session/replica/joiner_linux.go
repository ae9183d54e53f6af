package replica

import (
	"container/list"
	"errors"
	"slices"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/steering"
	"fairlead.dev/agents/internal/hello"
)

// What is held at most. Then the oldest hello loses its parts, and its client sends them again.
// Anyone can forge parts without a first one, so those have their own room.
const (
	hellosMost = 1024
	partsMost  = 64 // of a hello
	helloMost  = hello.Most
	bytesMost  = 16 << 20
	looseMost  = 256 // hellos without a first part
	looseBytes = 2 << 20
)

// heldSpan is how long parts are held at most. A client sends its hello again before.
const heldSpan = 30 * time.Second

// looseSpan is how long the first part may be late. Its client sends it again before.
const looseSpan = 2 * time.Second

// joiner holds parts of hellos until they are whole.
type joiner struct {
	byFlow map[program.FlowKey]*partial
	begun  queue // hellos with their first part
	loose  queue
}

// queue has the oldest hello first.
type queue struct {
	list  list.List // of *partial
	bytes int
}

// partial is a hello that isn't whole.
type partial struct {
	key          program.FlowKey
	since        time.Time
	in           *queue
	at           *list.Element // there
	bytes        int           // that its parts have
	first        bool          // its first part is here
	start        uint32        // the number of its first byte
	repeated     bool          // a part came twice, so its client waits for an acknowledgement
	acknowledged bool          // its client no longer sends some of it
	parts        []part        // by number
	whole        []byte        // as the program reads it, while its session id is searched
}

type part struct {
	number uint32
	packet *steering.Packet
}

func newJoiner() *joiner {
	return &joiner{byFlow: map[program.FlowKey]*partial{}}
}

// add returns the hello of a packet, or nil if the packet is of none.
func (j *joiner) add(now time.Time, packet *steering.Packet, isFirst bool) *partial {
	at, ok := segmentOf(packet.Frame)
	if !ok {
		return nil
	}
	p := j.byFlow[packet.Key]
	if p != nil && isFirst && p.isEarlier(at.number) {
		j.take(p)
		p = nil
	}
	if p == nil {
		p = &partial{key: packet.Key, since: now}
		j.byFlow[packet.Key] = p
		j.enqueue(p, &j.loose)
	}
	if isFirst && !p.first {
		p.first, p.start = true, at.number
		p.in.remove(p)
		j.enqueue(p, &j.begun)
	}
	if p.first && at.number-p.start >= helloMost {
		return nil
	}
	p.insert(part{at.number, packet})
	j.makeRoom(&j.loose, looseMost, looseBytes)
	j.makeRoom(&j.begun, hellosMost, bytesMost)
	return p
}

func (j *joiner) enqueue(p *partial, in *queue) {
	p.in, p.at = in, in.list.PushBack(p)
	in.bytes += p.bytes
}

func (q *queue) remove(p *partial) {
	q.list.Remove(p.at)
	q.bytes -= p.bytes
}

func (j *joiner) makeRoom(in *queue, hellos, bytes int) {
	for in.list.Len() > hellos || in.bytes > bytes {
		j.take(in.list.Front().Value.(*partial))
	}
}

// isLost reports whether a first part no longer comes: the connection began elsewhere.
func (p *partial) isLost(now time.Time) bool { return !p.first && now.Sub(p.since) > looseSpan }

// isEarlier reports whether it is of another connection on the same ports.
func (p *partial) isEarlier(start uint32) bool {
	if p.first {
		return p.start != start
	}
	return slices.ContainsFunc(p.parts, func(one part) bool { return one.number-start >= helloMost })
}

func (p *partial) insert(one part) {
	at, found := slices.BinarySearchFunc(p.parts, one, func(a, b part) int { return int(int32(a.number - b.number)) })
	if found {
		p.repeated = p.repeated || one.number == p.start && p.first
		if p.parts[at].packet.Length < one.packet.Length { // it came with more
			p.grow(len(one.packet.Frame) - len(p.parts[at].packet.Frame))
			p.parts[at] = one
		}
		return
	}
	if size := len(one.packet.Frame); len(p.parts) < partsMost && p.bytes+size <= 2*helloMost {
		p.grow(size)
		p.parts = slices.Insert(p.parts, at, one)
	}
}

func (p *partial) grow(bytes int) {
	p.bytes += bytes
	p.in.bytes += bytes
}

// stream returns the bytes from the first on, up to a gap.
func (p *partial) stream() (out []byte) {
	if !p.first {
		return nil
	}
	for _, one := range p.parts {
		frame := one.packet.Frame
		at, ok := segmentOf(frame)
		skip := p.start + uint32(len(out)) - one.number
		if !ok || int32(skip) < 0 || len(out) > helloMost {
			break
		}
		if data := frame[at.data:at.end]; int(skip) < len(data) {
			out = append(out, data[skip:]...)
		}
	}
	return out
}

// waiting returns the connections whose hellos are held, without those that their clients gave up.
func (j *joiner) waiting(now time.Time) (keys []program.FlowKey) {
	for key, p := range j.byFlow {
		if now.Sub(p.since) < heldSpan {
			keys = append(keys, key)
		}
	}
	return keys
}

// take removes a hello.
func (j *joiner) take(p *partial) {
	if j.byFlow[p.key] == p {
		p.in.remove(p)
		delete(j.byFlow, p.key)
	}
}

// normal returns a short hello that names the same session, so that the program can read it
// in one packet. done is false while more is needed. A stream that isn't a hello is returned
// as one that names nothing.
func normal(stream []byte) (out []byte, done bool) {
	h, err := hello.Parse(stream, helloMost)
	if errors.Is(err, hello.ErrIncomplete) {
		return nil, false
	}
	if err != nil {
		return []byte{0}, true
	}
	body := slices.Concat([]byte{3, 3}, make([]byte, 32), vector(1, h.SessionID), []byte{0, 2, 0x13, 1, 1, 0})
	var extensions []byte
	switch {
	case h.OffersTLS13:
		extensions = []byte{0, 43, 0, 3, 2, 3, 4}
	case h.ListsVersions:
		extensions = []byte{0, 43, 0, 3, 2, 3, 3}
	}
	if len(h.Ticket) >= NameBytes {
		extensions = slices.Concat(extensions, []byte{0, 35}, vector(2, h.Ticket[:NameBytes]))
	}
	for identity := range h.Identities() {
		if len(identity) >= NameBytes {
			list := slices.Concat(vector(2, identity[:NameBytes]), make([]byte, 4))
			extensions = slices.Concat(extensions, []byte{0, 41}, vector(2, slices.Concat(vector(2, list), vector(2, []byte{1, 0}))))
		}
		break
	}
	message := slices.Concat([]byte{1}, vector(3, slices.Concat(body, vector(2, extensions))))
	return slices.Concat([]byte{22, 3, 1}, vector(2, message)), true
}

func vector(size int, content []byte) []byte {
	length := []byte{0, byte(len(content) >> 16), byte(len(content) >> 8), byte(len(content))}
	return append(length[4-size:], content...)
}
