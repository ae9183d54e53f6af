package clients

import (
	"math"
	"math/rand/v2"
	"net/netip"
	"sync/atomic"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

var web = datapath.Key{Address: service4, Port: 80, Protocol: datapath.TCP}

// fakeTap selects from traffic that arrives with the clock, and has a small buffer.
type fakeTap struct {
	random    *rand.Rand
	perSecond func(client int) float64 // packets of each client now
	oneIn     uint32                   // 0 while paused
	last      time.Time
	buffer    []Packet
	selected  int
	failing   atomic.Pointer[error] // nil: it works
	reads     int
	opens     atomic.Int64
	isOpen    atomic.Bool
}

const (
	fakeBuffer = 100
	fakeLength = 1000
)

var fakeClients = [][]byte{{203, 0, 113, 7}, {198, 51, 100, 7}}

func newFakeTap(perSecond func(client int) float64) *fakeTap {
	return &fakeTap{random: rand.New(rand.NewPCG(3, 4)), perSecond: perSecond}
}

func (f *fakeTap) open() (Tap, error) {
	f.opens.Add(1)
	if err := f.failing.Load(); err != nil {
		return nil, *err
	}
	f.isOpen.Store(true)
	f.last = time.Now()
	return f, nil
}

// arrive adds what has arrived since the last call.
func (f *fakeTap) arrive() {
	span := time.Since(f.last).Seconds()
	f.last = time.Now()
	if f.oneIn == 0 {
		return
	}
	expected := make([]float64, len(fakeClients))
	sum := 0.0
	for client := range expected {
		expected[client] = f.perSecond(client) * span
		sum += expected[client]
	}
	for range int(math.Round(sum)) {
		if f.random.Uint32N(f.oneIn) != 0 {
			continue
		}
		f.selected++
		if len(f.buffer) == fakeBuffer {
			continue
		}
		client := 0
		for at := f.random.Float64() * sum; at >= expected[client] && client < len(expected)-1; client++ {
			at -= expected[client]
		}
		packet := packet4(6, 0, 0, segment())
		copy(packet[12:], fakeClients[client])
		f.buffer = append(f.buffer, Packet{Data: packet, Length: fakeLength, Link: 14})
	}
}

func (f *fakeTap) Accept(oneIn uint32, _ []netip.Addr) error {
	f.arrive()
	f.oneIn = oneIn
	if err := f.failing.Load(); err != nil {
		return *err
	}
	return nil
}

func (f *fakeTap) Pause() error {
	f.arrive()
	f.oneIn = 0
	return nil
}

func (f *fakeTap) Read() (Packet, bool, error) {
	f.arrive()
	if len(f.buffer) == 0 {
		return Packet{}, false, nil
	}
	f.reads++
	next := f.buffer[0]
	f.buffer = f.buffer[1:]
	return next, true, nil
}

func (f *fakeTap) Selected() (int, error) {
	defer func() { f.selected = 0 }()
	return f.selected, nil
}

func (f *fakeTap) Close() error {
	f.isOpen.Store(false)
	return nil
}
