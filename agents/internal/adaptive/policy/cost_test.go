package policy

import (
	"math"
	"slices"
	"testing"
	"time"
)

var (
	busyNode = Figures{Cores: 2, ServiceTime: 0.004 / 3, Rate: 1200, RateOfOthers: 300, RateOfReceiver: 100, EntryRate: 900, InFlight: 5, InFlightOfReceiver: 2}
	farAway  = Entry{RoundTrip: 6 * time.Millisecond, Answers: 100, Nodes: 4}
)

func calculated(figures Figures, entry Entry) (c Cost) {
	c.Calculate(figures, entry)
	return c
}

func TestCostOfARemoteNode(t *testing.T) {
	c := calculated(busyNode, farAway)
	var value Value
	value.Set(busyNode.Rate, busyNode.ServiceTime, busyNode.Cores)
	want := Cost{Fixed: 9e6, Others: 3 * 256, Mine: 2 * 256, Answers: 154, Spread: 2 * 256} // 100/s · 6 ms = 0.6; 300 of others for 100 of ours
	for n := range want.Steps {
		want.Steps[n] = uint64(value.Of(float64(n))*1e9 + 0.5)
	}
	want.Slope = uint64(value.slope*1e9 + 0.5)
	if c != want {
		t.Errorf("got %+v, want %+v", c, want)
	}
}

func TestRequestsSinceTheFiguresCountForOtherNodesToo(t *testing.T) {
	c := calculated(busyNode, farAway)
	own := 8 - 154.0/256 // without what is on its way
	near(t, "8 open", float64(c.Remote(8)), 9e6+interpolated(&c, 3+own+2*(own-2)))
	near(t, "2 open, none since", float64(c.Remote(2)), 9e6+interpolated(&c, 3+2-154.0/256))
	near(t, "none open", float64(c.Remote(0)), 9e6+interpolated(&c, 3))
}

// A TCP connection for each request takes two round trips until the answer. Meanwhile it is at neither node.
func TestAHandshakeIsARoundTripOfTheRequest(t *testing.T) {
	with, twice := farAway, farAway
	with.Setup = 1
	twice.RoundTrip *= 2
	if got, want := calculated(busyNode, with), calculated(busyNode, twice); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	for _, setup := range []float64{math.NaN(), -1} {
		with.Setup = setup
		if got, want := calculated(busyNode, with), calculated(busyNode, farAway); got != want {
			t.Errorf("%v: got  %+v\nwant %+v", setup, got, want)
		}
	}
}

func interpolated(c *Cost, n float64) float64 {
	whole := int(n)
	return math.Floor(float64(c.Steps[whole]) + float64(c.Steps[whole+1]-c.Steps[whole])*(n-float64(whole)))
}

// Otherwise a new node would get no request while others are fast and near.
func TestANodeThatServedNothingIsAssumedToBeLikeOthers(t *testing.T) {
	const usual = 0.0005
	unused, used := Figures{Cores: 2}, Figures{Cores: 2, ServiceTime: usual}
	if got, want := calculated(unused, Entry{Local: true, Usual: usual}), calculated(used, Entry{Local: true}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	near := calculated(used, Entry{RoundTrip: 200 * time.Microsecond})
	for _, test := range []struct {
		name    string
		usual   float64
		isFirst bool // before the near one
	}{
		{"others are known", usual, true},
		{"others are slower", 2 * usual, false},
		{"none is known", 0, false},
		{"not a number", math.NaN(), false},
	} {
		here := calculated(unused, Entry{Local: true, Usual: test.usual})
		if isFirst := here.Local(0, 0) < near.Remote(0); isFirst != test.isFirst {
			t.Errorf("%s: %d ns here, %d ns at the other node", test.name, here.Local(0, 0), near.Remote(0))
		}
	}
}

func TestALocalNodeCostsNoRoundTripAndCountsWhatIsInFlightNow(t *testing.T) {
	entry := farAway
	entry.Local = true
	c := calculated(busyNode, entry)
	if c.Fixed != 0 || c.Others != 0 || c.Spread != 0 {
		t.Errorf("got %+v", c)
	}
	for _, n := range []int64{0, 1, 5, 63} {
		if got := c.Local(n, 99); got != c.Steps[n] {
			t.Errorf("with %d in flight: %d ns, want %d", n, got, c.Steps[n])
		}
	}
	if got, want := c.Local(163, 0), c.Steps[63]+100*c.Slope; got != want {
		t.Errorf("with 163 in flight: %d ns, want %d", got, want)
	}
	if c.Local(-5, 0) != c.Steps[0] {
		t.Error("a counter below zero does not count as zero")
	}
}

func TestSpreadIsAtMostAllOtherNodes(t *testing.T) {
	for _, test := range []struct {
		name             string
		others, receiver float64
		nodes            int
		want             uint32
	}{
		{"we send all", 100, 100, 4, 0},
		{"we send half", 200, 100, 4, 256},
		{"we send nearly nothing", 1000, 0.1, 4, 2 * 256},
		{"we send nothing", 1000, 0, 4, 0},
		{"there are two nodes", 1000, 1, 2, 0},
	} {
		figures, entry := busyNode, farAway
		figures.RateOfOthers, figures.RateOfReceiver, entry.Nodes = test.others, test.receiver, test.nodes
		if got := calculated(figures, entry).Spread; got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}

func TestLastingConnectionsCountAsLoad(t *testing.T) {
	entry := farAway
	entry.Connections = Connections{Open: 20, Life: 5, Rate: 20}
	c := calculated(busyNode, entry)
	if got, want := c.Remote(20), c.Fixed+c.Steps[5]; got != want {
		t.Errorf("at the number of connections that was counted: %d ns, want %d", got, want)
	}
	var value Value
	value.Set(1200-100+21*20, busyNode.ServiceTime, busyNode.Cores)
	if want := 9e6 + value.Lasting(5, 5)*1e9; math.Abs(float64(c.Remote(20))-want) > 2 {
		t.Errorf("%d ns, want %g", c.Remote(20), want)
	}
	for open := uint32(0); open < 200; open++ {
		if c.Remote(open+1) < c.Remote(open) {
			t.Fatalf("%d connections cost %d ns, one more %d ns", open, c.Remote(open), c.Remote(open+1))
		}
	}
	entry.Open = 40
	if again := calculated(busyNode, entry); again.Remote(40) <= c.Remote(20) || again.Remote(40) < c.Remote(40)*9/10 {
		t.Errorf("calculated at 20 connections, 40 cost %d ns; calculated at 40, %d ns", c.Remote(40), again.Remote(40))
	}
}

func TestANodeWithMoreCoresThanTheTableHasEntries(t *testing.T) {
	const serviceTime = 0.004
	for _, cores := range []float64{96, 128, 256} {
		figures := Figures{Cores: cores, ServiceTime: serviceTime, Rate: 0.9 * cores / serviceTime, InFlight: 2 * cores}
		c := calculated(figures, Entry{RoundTrip: time.Millisecond, Nodes: 4})
		var value Value
		value.Set(figures.Rate, serviceTime, cores)
		if got, want := float64(c.Remote(0)-c.Fixed), 1e9*value.Of(2*cores); math.Abs(got-want) > 0.001*want {
			t.Errorf("%g cores, twice as many requests: %g ns, want %g", cores, got, want)
		}
	}
}

func TestCostsGrowWithTheRequestsInFlight(t *testing.T) {
	for _, cores := range []float64{0.1, 1, 2, 16, 128} {
		for _, load := range []float64{0, 0.5, 0.9, 2} {
			figures := Figures{Cores: cores, ServiceTime: 0.002, Rate: load * cores / 0.002}
			c := calculated(figures, Entry{Local: true, Nodes: 4})
			if !slices.IsSorted(c.Steps[:]) {
				t.Errorf("%g cores at load %g: %v", cores, load, c.Steps)
			}
			if before := c.Local(63, 0); c.Local(64, 0) < before {
				t.Errorf("%g cores at load %g: it falls after the table", cores, load)
			}
		}
	}
}

// So agents need not write the costs of idle services again.
func TestTheCostOfAnIdleServiceStaysTheSame(t *testing.T) {
	figures, entry := Figures{Cores: 2, ServiceTime: 0.002, Rate: 10, RateOfOthers: 8, RateOfReceiver: 4}, farAway
	entry.Answers = 0.1
	want := calculated(figures, entry)
	for range 20 {
		for _, rate := range []*float64{&figures.Rate, &figures.RateOfOthers, &figures.RateOfReceiver, &entry.Answers} {
			*rate /= 2
		}
		if got := calculated(figures, entry); got != want {
			t.Fatalf("at %g requests per second: got %+v, want %+v", figures.Rate, got, want)
		}
	}
}

func BenchmarkCalculate(b *testing.B) {
	for _, test := range []struct {
		name  string
		cores float64
		life  float64
	}{{"2 cores", 2, 0}, {"8 cores", 8, 0}, {"128 cores", 128, 0}, {"8 cores, lasting", 8, 5}, {"128 cores, lasting", 128, 5}} {
		b.Run(test.name, func(b *testing.B) {
			figures, entry := busyNode, farAway
			figures.Cores, figures.Rate = test.cores, 450*test.cores
			entry.Connections = Connections{Open: 20, Life: test.life, Rate: 10}
			var c Cost
			for b.Loop() {
				c.Calculate(figures, entry)
			}
		})
	}
}
