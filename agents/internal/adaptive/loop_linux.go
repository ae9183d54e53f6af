package adaptive

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fairlead.dev/agents/internal/adaptive/sockets"
)

// judgeEvery is how often events are considered.
const judgeEvery = time.Second

// loop calculates costs until the driver is closed.
func (d *Driver) loop() {
	defer close(d.ended)
	tick := time.NewTicker(every / 2)
	defer tick.Stop()
	isBetween := false // rounds
	judged, reconciled, pause := time.Time{}, time.Now(), reconcileEvery
	for {
		select {
		case <-d.end:
			return
		case now := <-tick.C:
			d.mutex.Lock()
			if isBetween = !isBetween; isBetween {
				d.hurry(now)
			} else if d.sockets != nil {
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

// work is one round. Figures are sent as soon as they are read. After an error, the kernel keeps the previous costs.
func (d *Driver) work(now time.Time) {
	err := d.count(now)
	d.mesh.Prompt()
	d.arrive(now)
	updated := d.update(now)
	if updated == nil {
		updated = d.late
	}
	d.late = nil
	err = errors.Join(err, updated)
	d.trouble.costs = d.failed("costs are not updated, so connections go to nodes by weight", err, d.trouble.costs)
}

// hurry is between two rounds, for busy services.
func (d *Driver) hurry(now time.Time) {
	if d.sockets == nil || !slices.ContainsFunc(d.services, func(s *service) bool { return s.meter != nil && s.meter.isBusy() }) {
		return
	}
	d.keep(d.count(now))
	d.mesh.PromptBusy()
}

// keep keeps the first error between two rounds for the next one.
func (d *Driver) keep(err error) {
	if d.late == nil {
		d.late = err
	}
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

// count reads what is counted here.
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
	return d.countOutgoing(now)
}

// countOutgoing reads the counts of connections. They are sorted as services' nodes are.
func (d *Driver) countOutgoing(now time.Time) error {
	var of *service
	number, next := uint16(0), 0
	return d.sockets.EachCount(func(service uint16, node string, counts sockets.Counts) {
		if service != number {
			of, number, next = d.byNumber[service], service, 0
		}
		if of == nil {
			return
		}
		for next < len(of.nodes) && of.nodes[next].node < node {
			next++
		}
		if next < len(of.nodes) && of.nodes[next].node == node {
			of.nodes[next].add(counts, now)
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
	return d.sockets.SetCosts(d.costs(now))
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
