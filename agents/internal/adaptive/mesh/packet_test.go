package mesh

import (
	"math"
	"reflect"
	"testing"
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
)

func TestAHeaderIsReadAsItWasWritten(t *testing.T) {
	want := header{
		sender: 1<<63 + 1, incarnation: 2, number: 3, sent: 4 * time.Hour, heard: moment{5, 6 * time.Hour}, held: 7 * time.Millisecond,
	}
	written := append(want.append(nil), make([]byte, macBytes)...)
	if got, valid := parseHeader(written); !valid || got != want {
		t.Fatalf("got %+v, %v", got, valid)
	}
	negative := want
	negative.held = -1
	endless := want
	endless.heard.at = math.MaxInt64
	for name, b := range map[string][]byte{
		"empty": nil, "short": written[:len(written)-1], "long": append(written, make([]byte, packetMost)...),
		"another protocol": append([]byte("GET / HT"), written[8:]...),
		"a negative time":  append(negative.append(nil), make([]byte, macBytes)...),
		"an endless time":  append(endless.append(nil), make([]byte, macBytes)...),
	} {
		if got, valid := parseHeader(b); valid {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

func TestFiguresAreExactEnough(t *testing.T) {
	for _, value := range []float64{0, 1, 255, 65_535, 65_536, 0.004, 123_456.789, 1e-9, figureMost} {
		sent := numbered{service: 7, Figures: policy.Figures{Cores: value, InFlightOfReceiver: value}}
		got, valid := parseFigures(nil, appendFigures(nil, &sent))
		if !valid || len(got) != 1 || got[0].service != 7 || got[0].Rate != 0 {
			t.Fatalf("%v: got %+v, %v", value, got, valid)
		}
		if off := math.Abs(got[0].Cores - value); off > value*2e-5 || value <= 65_536 && value == math.Floor(value) && off != 0 {
			t.Errorf("%v: got %v", value, got[0].Cores)
		}
		if got[0].InFlightOfReceiver != got[0].Cores {
			t.Errorf("%v: got %+v", value, got[0])
		}
	}
}

func TestEachFigureIsSentAndChecked(t *testing.T) {
	want := policy.Figures{
		Cores: 1, ServiceTime: 2, Rate: 3, RateOfOthers: 4, RateOfReceiver: 5, EntryRate: 6, InFlight: 7, InFlightOfReceiver: 8,
	}
	written := appendFigures(nil, &numbered{7, want})
	if got, valid := parseFigures(nil, written); !valid || len(got) != 1 || got[0].Figures != want {
		t.Errorf("got %+v, %v", got, valid)
	}
	if len(written) != serviceBytes || reflect.TypeFor[policy.Figures]().NumField() != figureCount {
		t.Errorf("%d bytes", len(written))
	}
	for i := range figureCount {
		wrong := want
		reflect.ValueOf(&wrong).Elem().Field(i).SetFloat(math.NaN())
		if areWithin(figureMost, &wrong) {
			t.Errorf("%+v is sent", wrong)
		}
	}
}

func TestImpossibleFiguresAreInvalid(t *testing.T) {
	good := numbered{service: 7, Figures: full(1000)}
	written := appendFigures(nil, &good)
	for name, change := range map[string]func([]byte) []byte{
		"a part":       func(b []byte) []byte { return b[:len(b)-1] },
		"negative":     func(b []byte) []byte { b[8] |= 0x80; return b },
		"infinite":     func(b []byte) []byte { b[8], b[9], b[10] = 0x7f, 0x80, 0; return b },
		"not a number": func(b []byte) []byte { b[8], b[9], b[10] = 0x7f, 0xc0, 0; return b },
	} {
		if got, valid := parseFigures(nil, change(append([]byte(nil), written...))); valid {
			t.Errorf("%s: got %+v", name, got)
		}
	}
	for _, value := range []float64{-1, math.NaN(), math.Inf(1), math.MaxFloat32} {
		if f := full(value); areWithin(figureMost, &f) {
			t.Errorf("%v is sent", value)
		}
	}
}

// What a key holder sends is parsed too: a newer version may sign something else.
func FuzzASignedDatagram(f *testing.F) {
	whole := header{sender: numberOf("b"), incarnation: 1, number: 1, sent: time.Hour}
	one := numbered{service: numberOf("lb_1"), Figures: full(1000)}
	f.Add(appendFigures(whole.append(nil), &one))
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, content []byte) {
		m := newTestMesh(t, loopback)
		m.now = func() time.Duration { return time.Hour }
		m.replace(Spec{Self: "a", Keys: keys, Peers: []Peer{{Node: "b"}}, Services: []Service{{ID: "lb_1"}}})
		datagram := append(content, newSigner(keys.Current, "b", "a").sign(content)...)
		for range 2 {
			m.take(datagram, nil, 0)
		}
		total := uint64(0)
		for _, count := range m.Counters().Received {
			total += count
		}
		if got := m.Counters().Received; total != 2 || got[Forged] > 0 {
			t.Fatalf("received %v", got)
		}
		for _, one := range m.Latest(nil, "b") {
			if !areWithin(math.MaxFloat32, &one.Figures) || one.Age < 0 {
				t.Fatalf("got %+v", one)
			}
		}
	})
}
