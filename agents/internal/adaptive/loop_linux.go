package adaptive

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
	"fairlead.dev/agents/internal/adaptive/sockets"
)

// judgeEvery is how often events are considered.
const judgeEvery = time.Second

// loop calculates costs until the driver is closed.
func (d *Driver) loop() {
	defer close(d.ended)
	tick := time.NewTicker(every)
	defer tick.Stop()
	judged, reconciled, pause := time.Time{}, time.Now(), reconcileEvery
	for {
		select {
		case <-d.end:
			return
		case now := <-tick.C:
			d.mutex.Lock()
			if d.sockets != nil {
				d.work(now)
				if now.Sub(judged) >= judgeEvery {
					judged = now
					d.judge(now)
				}
				if began := time.Now(); began.Sub(reconciled) >= pause {
					d.trouble.counts = d.failed("counts of connections are not corrected, so costs may be wrong", d.reconcile(), d.trouble.counts)
					reconciled = time.Now()
					pause = max(reconcileEvery, reconcileShare*reconciled.Sub(began))
				}
				if d.trouble.isNews || d.news.Waiting() > 0 {
					d.notify()
				}
				d.trouble.isNews = false
			}
			d.mutex.Unlock()
		}
	}
}

// trouble is what doesn't work in the loop, as sentences.
type trouble struct {
	costs, counts string
	isNews        bool // since the last round
}

func (t *trouble) String() string { return strings.TrimSpace(t.costs + " " + t.counts) }

// work is one round. After an error, the kernel keeps the previous costs.
func (d *Driver) work(now time.Time) {
	d.trouble.costs = d.failed("costs are not updated, so connections go to nodes by weight", errors.Join(d.count(now), d.update(now)), d.trouble.costs)
}

// failed returns an error as a sentence. It logs one once, not at every round.
func (d *Driver) failed(effect string, err error, before string) (problem string) {
	if err != nil {
		problem = sentence(fmt.Errorf("%s: %w", effect, err))
	}
	if problem != before {
		d.trouble.isNews = true
		if err != nil {
			d.options.Log.Error(effect, "err", err)
		}
	}
	return problem
}

// notify requests a report.
func (d *Driver) notify() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// count reads what is counted here. Connections are read less often: the kernel adds its own counts of them to costs.
func (d *Driver) count(now time.Time) error {
	observed, err := d.signals.Observe()
	if err != nil {
		return err
	}
	for _, s := range d.services {
		if s.meter != nil {
			s.meter.add(observed.Services[s.number], d.coresOf(s), d.cores)
		}
	}
	if now.Sub(d.sent) < closedWindow {
		return nil
	}
	d.sent = now
	return d.sockets.EachCount(func(number uint16, node string, counts sockets.Counts) {
		if s := d.byNumber[number]; s != nil {
			if one, has := s.to(node); has {
				one.add(counts, now)
			}
		}
	})
}

// update makes the kernel use what is known now.
func (d *Driver) update(now time.Time) error {
	if d.see(now) {
		outcome, err := d.sockets.Set(d.distributed())
		if err != nil {
			return err
		}
		d.note(outcome.Failures)
		d.notify()
	}
	d.due = d.due[:0]
	for _, s := range d.services {
		d.due = d.costs(d.due, s, now)
	}
	return d.sockets.SetCosts(d.due)
}

// costs appends those of a service that the kernel needs.
func (d *Driver) costs(due []sockets.Cost, s *service, now time.Time) []sockets.Cost {
	entered, usual := d.entered(s), d.usual(s)
	if s.meter != nil {
		s.meter.enter(entered)
		s.meter.setUsual(usual.Seconds())
		usual.Add(s.meter.figures(0).ServiceTime)
	}
	connections, handshakes := lasting(s.nodes, entered), setup(s.Key.Protocol, s.nodes, entered)
	for _, one := range s.nodes {
		figures, at := one.received.Figures, now.Add(-one.received.Age)
		entry := policy.Entry{Nodes: len(d.desired.Peers) + 1, Connections: connections}
		switch {
		case one.node == d.desired.Node:
			figures, at, entry.Local = s.meter.figures(d.nodes[one.node]), now, true
		case !one.isFresh:
			continue
		default:
			entry.RoundTrip, entry.Setup, entry.Answers = d.trips[one.node], handshakes, one.closed
		}
		if connections.Life > 0 {
			entry.Open = int(one.counts.Open)
		}
		if figures.ServiceTime == 0 {
			entry.Usual = usual.Seconds()
		}
		if one.price(figures, entry, now) {
			due = append(due, sockets.Cost{Service: s.number, Node: one.node, At: at, Cost: &one.cost})
		}
	}
	return due
}

// usual is that of other nodes.
func (d *Driver) usual(s *service) (usual policy.Usual) {
	for _, one := range s.nodes {
		if one.node != d.desired.Node && one.isFresh {
			usual.Add(one.received.ServiceTime)
		}
	}
	return usual
}

// entered is how many requests per second enter at this node, as those that serve them count.
func (d *Driver) entered(s *service) (rate float64) {
	for _, one := range s.nodes {
		switch {
		case one.node == d.desired.Node:
			rate += s.meter.figures(d.nodes[one.node]).RateOfReceiver
		case one.isFresh:
			rate += one.received.RateOfReceiver
		}
	}
	return rate
}

// reconcile corrects counts, and follows changes of the CPU limit.
func (d *Driver) reconcile() error {
	corrected, err := d.sockets.Reconcile()
	drift, err2 := d.signals.Reconcile()
	wrong := corrected + uint64(max(drift.Open, -drift.Open))
	d.corrected += wrong
	d.report(d.faults.corrected(wrong, time.Now()))
	before := d.processors()
	err3 := d.measure()
	if err3 == nil && d.processors() != before {
		err3 = d.signals.Set(d.counted())
	}
	return errors.Join(err, err2, err3)
}
