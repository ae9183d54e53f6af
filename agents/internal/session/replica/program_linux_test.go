package replica

import (
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/hello"
	"fairlead.dev/agents/internal/session/cookie"
)

// epochNow returns the epoch of the program, whose clock is TAI: hosts may set it ahead of UTC.
func epochNow(t testing.TB) uint32 {
	t.Helper()
	var now unix.Timespec
	must(t, unix.ClockGettime(unix.CLOCK_TAI, &now))
	return cookie.EpochAt(time.Unix(now.Unix()))
}

// The programs' cookies are those of Go.
func TestACookieIsTheSameInBothLanguages(t *testing.T) {
	p := newPlace(t)
	for _, of := range []cookie.Connection{connection4, connection6} {
		for _, c := range []struct {
			options []byte
			want    cookie.Options
		}{
			{[]byte{2, 4, 5, 0xb4, 4, 2, 8, 10, 0, 0, 0, 7, 0, 0, 0, 0, 1, 3, 3, 9}, cookie.Options{MSS: 1460, Scale: 9, SACK: true}},
			{[]byte{2, 4, 4, 0xc4}, cookie.Options{MSS: 1220, Scale: cookie.NoScale}},
			{nil, cookie.Options{Scale: cookie.NoScale}},
			{[]byte{3, 3, 200, 1, 99, 2, 0, 0}, cookie.Options{Scale: 14}},
			{[]byte{2, 4, 5, 0xb4, 8, 40, 0, 0}, cookie.Options{MSS: 1460, Scale: cookie.NoScale}}, // it claims to be longer
		} {
			before := epochNow(t)
			out, sent := p.pass(t, frameOf(of, 0xffffffff, 0, flagSYN|0xc0, c.options, nil))
			s, ok := segmentOf(out)
			if !sent || !ok || back(out, s) != of || !isSound(out) || s.data != s.end {
				t.Fatalf("%v: %t, %x", of, sent, out)
			}
			if flags := out[s.tcp+13]; flags != flagSYN|flagACK {
				t.Errorf("%v: flags %#x", of, flags)
			}
			if got := binary.BigEndian.Uint32(out[s.tcp+8:]); got != 0 {
				t.Errorf("%v: acknowledges %d", of, got)
			}
			if want := cookie.Bake(p.keys.Current.Cookie, of, 0xffffffff, before, c.want); s.number != want && before == epochNow(t) {
				t.Errorf("%v: cookie %#x, want %#x for %+v", of, s.number, want, c.want)
			}
			options := out[s.tcp+tcpHeader : s.end]
			if timestamps := len(c.options) > 10; timestamps != (options[6] == 8) || timestamps && (options[8] != cookie.Mask(p.keys.Current.Mask, of) || options[15] != 7) {
				t.Errorf("%v: options %x", of, options)
			}
		}
	}
}

// first sends the first data of a new connection, and returns the backend; "" if it wasn't sent.
func (p *place) first(t testing.TB, of cookie.Connection, data []byte) string {
	t.Helper()
	p.port++
	of.Client = netipPort(of.Client, p.port)
	const syn = 1000
	baked := cookie.Bake(p.keys.Current.Cookie, of, syn, epochNow(t), cookie.Options{MSS: 1460, Scale: 7})
	frame := frameOf(of, syn+1, baked+1, flagACK, nil, data)
	key := datapath.Key{Address: of.Service.Addr(), Port: of.Service.Port(), Protocol: datapath.TCP}
	flow := program.ToFlowKey(key, of.Client)
	if _, sent := p.pass(t, frame); !sent {
		return ""
	}
	connections := p.replica.joint.Maps[program.TcxMapConnections]
	var entry program.FlowEntry
	must(t, connections.Lookup(flow, &entry))
	must(t, connections.Delete(flow))
	must(t, p.replica.joint.Maps[program.TcxMapSteeredFlows].Delete(flow))
	for _, backend := range []string{"a", "b"} {
		if at, _ := p.replica.joint.PlaceOf(key, backend); at.Slot == entry.Slot {
			return backend
		}
	}
	return "?"
}

// forged returns a hello that names sessions.
func forged(key, ticket, id string) []byte {
	body := slices.Concat([]byte{3, 3}, make([]byte, 32), vector(1, []byte(id)), []byte{0, 2, 0x13, 1, 1, 0})
	extensions := slices.Concat([]byte{0, 0}, vector(2, []byte("some name")))
	if ticket != "" {
		extensions = slices.Concat(extensions, []byte{0, 35}, vector(2, []byte(ticket)))
	}
	if key != "" {
		list := slices.Concat(vector(2, []byte(key)), make([]byte, 4))
		extensions = slices.Concat(extensions, []byte{0, 41}, vector(2, slices.Concat(vector(2, list), vector(2, []byte{1, 0}))))
	}
	message := slices.Concat([]byte{1}, vector(3, slices.Concat(body, vector(2, extensions))))
	return slices.Concat([]byte{22, 3, 1}, vector(2, message))
}

func TestASessionIsFoundByItsName(t *testing.T) {
	p := newPlace(t)
	a, b, rest := string(nameA[:]), string(nameB[:]), "and what is encrypted"
	for _, of := range []cookie.Connection{connection4, connection6} {
		for range 8 { // at other ports each time, so that rows differ
			for _, c := range []struct {
				name, key, ticket, want string
			}{
				{"a key", a + rest, "", "a"}, {"another key", b + rest, "", "b"},
				{"a ticket", "", a + rest, "a"}, {"another ticket", "", b + rest, "b"},
				{"a key and a ticket", b + rest, a + rest, "b"},
				{"an unknown key and a ticket", "unknown" + rest + rest, b, "b"},
			} {
				if got := p.first(t, of, forged(c.key, c.ticket, "")); got != c.want {
					t.Errorf("%s: %q, want %q", c.name, got, c.want)
				}
			}
			if got := p.first(t, of, []byte("GET / HTTP/1.1\r\n\r\n")); got != "a" && got != "b" {
				t.Errorf("not TLS: %q", got)
			}
		}
	}
}

func TestOnlyAClientThatGotItsAnswerBegins(t *testing.T) {
	p := newPlace(t)
	data := forged(string(nameA[:])+"...", "", "")
	now, of := epochNow(t), connection4
	for _, c := range []struct {
		name  string
		epoch uint32
		wrong uint32 // added to the cookie
		data  []byte
		want  bool
	}{
		{"the cookie", now, 0, data, true},
		{"no cookie", now, 1 << 20, data, false},
		{"no data", now, 0, nil, false},
		{"another epoch", now - 3, 0, data, false},
	} {
		of.Client = netipPort(of.Client, of.Client.Port()+1)
		baked := cookie.Bake(p.keys.Current.Cookie, of, 1000, c.epoch, cookie.Options{})
		if _, sent := p.pass(t, frameOf(of, 1001, baked+c.wrong+1, flagACK, nil, c.data)); sent != c.want {
			t.Errorf("%s: sent to a backend: %t", c.name, sent)
		}
	}
}

// FuzzHello: whatever a client sends, a hello is placed as the agent would place it.
func FuzzHello(f *testing.F) {
	p := newPlace(f)
	f.Add(forged(string(nameA[:])+"...", string(nameB[:])+"...", "0123456789abcdef0123456789abcdef"))
	f.Add(forged("", string(nameB[:])+"...", ""))
	f.Add(forged(string(nameB[:]), "", "short"))
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"))
	f.Add([]byte{22, 3, 1, 0, 200, 1, 0, 0, 1, 3, 3})
	f.Fuzz(func(t *testing.T, data []byte) {
		const most = 1400
		if len(data) == 0 || len(data) > most {
			return
		}
		got := p.first(t, connection4, data)
		h, err := hello.Parse(data, helloMost)
		if err != nil {
			return // in parts, or the backend rejects it
		}
		want := ""
		if len(h.Ticket) >= NameBytes {
			want = nameOf(h.Ticket)
		}
		for identity := range h.Identities() {
			if len(identity) >= NameBytes && nameOf(identity) != "" {
				want = nameOf(identity)
			}
			break
		}
		inOneRecord := h.Size == 5+int(binary.BigEndian.Uint16(data[3:]))
		if inOneRecord && (got == "" || want != "" && got != want) {
			t.Fatalf("%q, want %q, for %x", got, want, data)
		}
	})
}

func nameOf(ticket []byte) string {
	switch [NameBytes]byte(ticket) {
	case nameA:
		return "a"
	case nameB:
		return "b"
	}
	return ""
}
