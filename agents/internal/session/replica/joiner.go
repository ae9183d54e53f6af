package replica

import (
	"container/list"
	"errors"
	"slices"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/steering"
	"fairlead.dev/agents/internal/hello"
)

// What is held at most. Then the oldest hello loses its parts, and its client sends them again.
const (
	hellosMost = 1024
	partsMost  = 64 // of a hello
	helloMost  = hello.Most
)

// joiner holds parts of hellos until they are whole.
type joiner struct {
	byFlow map[program.FlowKey]*list.Element
	oldest *list.List // of *partial
}

// partial is a hello that isn't whole.
type partial struct {
	key      program.FlowKey
	first    bool   // its first part is here
	start    uint32 // the number of its first byte
	repeated bool   // a part came twice, so its client waits for an acknowledgement
	parts    []part // by number
}

type part struct {
	number uint32
	packet *steering.Packet
}

func newJoiner() *joiner {
	return &joiner{byFlow: map[program.FlowKey]*list.Element{}, oldest: list.New()}
}

// add returns the hello of a packet.
func (j *joiner) add(packet *steering.Packet, isFirst bool) *partial {
	at, ok := segmentOf(packet.Frame)
	if !ok {
		return nil
	}
	found := j.byFlow[packet.Key]
	if found != nil && isFirst && found.Value.(*partial).isEarlier(at.number) {
		j.drop(found)
		found = nil
	}
	if found == nil {
		if j.oldest.Len() >= hellosMost {
			j.drop(j.oldest.Front())
		}
		found = j.oldest.PushBack(&partial{key: packet.Key})
		j.byFlow[packet.Key] = found
	}
	p := found.Value.(*partial)
	if isFirst {
		p.first, p.start = true, at.number
	}
	p.insert(part{at.number, packet})
	return p
}

// isEarlier reports whether it is of another connection on the same ports.
func (p *partial) isEarlier(start uint32) bool {
	if p.first {
		return p.start != start
	}
	return slices.ContainsFunc(p.parts, func(one part) bool { return one.number-start > helloMost })
}

func (p *partial) insert(one part) {
	at, found := slices.BinarySearchFunc(p.parts, one, func(a, b part) int { return int(int32(a.number - b.number)) })
	if found {
		p.repeated = p.repeated || one.number == p.start && p.first
		if p.parts[at].packet.Length < one.packet.Length { // it came with more
			p.parts[at] = one
		}
		return
	}
	if len(p.parts) < partsMost {
		p.parts = slices.Insert(p.parts, at, one)
	}
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

// take removes a hello.
func (j *joiner) take(p *partial) {
	if found := j.byFlow[p.key]; found != nil {
		j.drop(found)
	}
}

func (j *joiner) drop(one *list.Element) {
	j.oldest.Remove(one)
	delete(j.byFlow, one.Value.(*partial).key)
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
	if len(h.Ticket) >= NameBytes {
		extensions = slices.Concat([]byte{0, 35}, vector(2, h.Ticket[:NameBytes]))
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
