package adaptive

import (
	"math"
	"testing"
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
	"fairlead.dev/agents/internal/adaptive/signals"
	"fairlead.dev/agents/internal/adaptive/sockets"
	"fairlead.dev/agents/internal/balancer/datapath"
)

const (
	here  = 1
	there = 2
)

// counted returns counts after so many rounds of 50 ms: at 40 requests per second from here and 60 from there, each
// of which takes 5 ms, and one from there in flight.
func counted(rounds uint64) signals.ServiceCounts {
	return signals.ServiceCounts{
		InFlight: 1, At: 1 + rounds*uint64(every), Busy: rounds * 5 * uint64(5*time.Millisecond),
		Nodes: map[uint32]signals.Counts{
			here:  {Opened: 2 * rounds, Arrived: 2 * rounds, Done: 2 * rounds},
			there: {Opened: 3 * rounds, Arrived: 3 * rounds, Done: 3 * rounds, InFlight: 1},
		},
	}
}

func TestFiguresAreThoseThatWereCounted(t *testing.T) {
	m := newMeter(here)
	for rounds := range uint64(200) {
		m.add(counted(rounds), 2, 2)
	}
	m.enter(70, 0)
	got := m.figures(there)
	want := policy.Figures{
		Cores: 2, ServiceTime: 0.005, Rate: 100, RateOfOthers: 60, RateOfReceiver: 60, EntryRate: 70, InFlight: 1, InFlightOfReceiver: 1,
	}
	for _, pair := range [][2]*float64{
		{&got.Cores, &want.Cores}, {&got.ServiceTime, &want.ServiceTime}, {&got.Rate, &want.Rate}, {&got.RateOfOthers, &want.RateOfOthers},
		{&got.RateOfReceiver, &want.RateOfReceiver}, {&got.EntryRate, &want.EntryRate}, {&got.InFlight, &want.InFlight},
		{&got.InFlightOfReceiver, &want.InFlightOfReceiver},
	} {
		if math.Abs(*pair[0]-*pair[1]) > 1e-6 {
			t.Errorf("got  %+v\nwant %+v", got, want)
			break
		}
	}
}

func TestCountsThatBeginAgainAreNoTraffic(t *testing.T) {
	m := newMeter(here)
	for rounds := range uint64(200) {
		m.add(counted(rounds), 2, 2)
	}
	before := m.figures(there)
	again := counted(0)
	again.At = counted(200).At
	m.add(again, 2, 2)
	if got := m.figures(there); got.Rate != before.Rate || got.ServiceTime != before.ServiceTime {
		t.Errorf("got  %+v\nwant %+v", got, before)
	}
}

// A node that may use a fifth of a core runs a request on a whole one, and then waits. Once requests always wait, they
// keep it busy all the time, of which it has a fifth.
func TestServiceTimeOfANodeWithACPULimit(t *testing.T) {
	const limit = 0.2
	for _, test := range []struct {
		name           string
		requests       uint64 // per round
		busy           time.Duration
		wantPerRequest time.Duration
	}{
		{"few requests", 10, 10 * time.Millisecond, time.Millisecond},
		{"always some", 10, every, time.Millisecond},
		{"slowed down", 2, every, 5 * time.Millisecond},
	} {
		m := newMeter(here)
		for rounds := range uint64(200) {
			m.add(signals.ServiceCounts{
				At: 1 + rounds*uint64(every), Busy: rounds * uint64(test.busy),
				Nodes: map[uint32]signals.Counts{here: {Arrived: rounds * test.requests, Done: rounds * test.requests}},
			}, limit, limit)
		}
		if got := m.figures(here).ServiceTime; math.Abs(got-test.wantPerRequest.Seconds()) > 1e-6 {
			t.Errorf("%s: %v s, want %v", test.name, got, test.wantPerRequest)
		}
	}
}

// send adds rounds in which connections open and close, so that so many are open.
func send(one *outgoing, rounds int, perRound, open uint64) {
	for i := range rounds {
		one.add(sockets.Counts{Open: open, Chosen: open + uint64(i)*perRound}, time.Unix(0, 0).Add(time.Duration(i)*every))
	}
}

func TestConnectionsLastIfTheyCarryManyRequestsOrStayLong(t *testing.T) {
	for _, test := range []struct {
		name              string
		perRound, open    uint64
		requestsPerSecond float64
		life              float64 // 0: each is one request
	}{
		{"one request each", 5, 10, 100, 0},
		{"TLS with one request each", 5, 10, 300, 0},
		{"ten requests each", 5, 100, 1000, 1},
		{"idle ones, of which none is opened", 0, 100, 0, 3600},
		{"none", 0, 0, 0, 0},
	} {
		one := &outgoing{}
		send(one, 2000, test.perRound, test.open)
		got := lasting([]*outgoing{one}, test.requestsPerSecond, test.requestsPerSecond)
		if math.Abs(got.Life-test.life) > 0.01*test.life {
			t.Errorf("%s: life %v, want %v", test.name, got.Life, test.life)
		}
		if want := test.requestsPerSecond / float64(max(test.open, 1)); test.life > 0 && math.Abs(got.Rate-want) > 1e-9 {
			t.Errorf("%s: %v requests per second, want %v", test.name, got.Rate, want)
		}
	}
}

// A ratio of averages in different windows would be wrong for seconds.
func TestConnectionsOfTrafficThatJustBeganAreNotTakenForLasting(t *testing.T) {
	const perRound, open = 100, 60 // 2,000 a second that last for 30 ms
	one, usual := &outgoing{}, 0.0
	for i := range 60 {
		send := sockets.Counts{Open: open, Chosen: open + uint64(i)*perRound}
		one.add(send, time.Unix(0, 0).Add(time.Duration(i)*every))
		entered := perRound / every.Seconds()
		if i > 0 {
			usual = average(usual, entered, every, openedWindow)
		}
		if got := lasting([]*outgoing{one}, entered, usual); got.Life != 0 {
			t.Fatalf("round %d: they last %v s", i, got.Life)
		}
		if got := setup(datapath.TCP, []*outgoing{one}, usual); math.Abs(got-1) > 1e-6 {
			t.Fatalf("round %d: %v round trips of a handshake for each request, want 1", i, got)
		}
	}
}

func TestHandshakesOfRequests(t *testing.T) {
	for _, test := range []struct {
		name              string
		protocol          datapath.Protocol
		perRound          uint64
		requestsPerSecond float64
		want              float64
	}{
		{"one request each", datapath.TCP, 5, 100, 1},
		{"ten requests each", datapath.TCP, 5, 1000, 0.1},
		{"requests that aren't counted", datapath.TCP, 5, 10, 1},
		{"none yet", datapath.TCP, 0, 0, 1},
		{"UDP", datapath.UDP, 5, 100, 0},
	} {
		one := &outgoing{}
		send(one, 2000, test.perRound, 10)
		if got := setup(test.protocol, []*outgoing{one}, test.requestsPerSecond); math.Abs(got-test.want) > 1e-3 {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestTheRateOfAnswersIsThatOfClosedConnections(t *testing.T) {
	one := &outgoing{}
	send(one, 100, 5, 10)
	if math.Abs(one.closed-100) > 1 {
		t.Errorf("%v per second, want 100", one.closed)
	}
}

func TestACostIsWrittenWhenItChangesAndBeforeItIsTooOld(t *testing.T) {
	one, now := &outgoing{}, time.Unix(1, 0)
	figures, entry := policy.Figures{Cores: 2, ServiceTime: 0.01, Rate: 50}, policy.Entry{Nodes: 2, RoundTrip: time.Millisecond}
	for _, step := range []struct {
		after  time.Duration
		change func()
		want   bool
	}{
		{0, func() {}, true},
		{every, func() {}, false},
		{every, func() { figures.Rate = 60 }, true},
		{every, func() { entry.RoundTrip = time.Second }, true},
		{every, func() {}, false},
		{rewriteAfter, func() {}, true},
	} {
		now = now.Add(step.after)
		step.change()
		if got := one.renew(figures, entry, now); got != step.want {
			t.Errorf("at %v: %v", now, got)
		}
	}
	if want := uint64(1500 * time.Millisecond); one.cost().Fixed != want {
		t.Errorf("the round trip costs %d ns, want %d", one.cost().Fixed, want)
	}
}
