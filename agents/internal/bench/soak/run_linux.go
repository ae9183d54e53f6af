package soak

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"fairlead.dev/agents/internal/bench/benchlab"
	"fairlead.dev/agents/internal/lab/topologies"
	"fairlead.dev/agents/internal/lab/topology"
)

// Options are the duration and the program.
type Options struct {
	For   time.Duration // in total, approximately
	Agent string        // the program fairlead-agent

	// Smoke makes a few changes in one cycle, without the idle time that counts need, whatever For is.
	Smoke bool
}

// Report is what has leaked.
type Report struct {
	Left     []Left  `json:"left"`  // at the end of the last cycle, compared with the end of the first
	After    []Left  `json:"after"` // after the lab went down, compared with before it came up
	Cycles   int     `json:"cycles"`
	Changes  int     `json:"changes"`  // in all cycles
	Every    float64 `json:"every"`    // seconds between changes
	Requests uint64  `json:"requests"` // with a reply
	Seconds  float64 `json:"seconds"`
}

const (
	looksMost = 6 // at each end, a second apart
	// idle is how long nothing happens before the end, so that balancers remove expired state: a minute and
	// their next sweep; for UDP, five minutes.
	idle     = overAfterEnd + 3*time.Second
	idleLong = overUDP + 3*time.Second
	longFrom = 15 * time.Minute
	comeBack = 5 * time.Second // for connections between replicas that a cycle cut
	restMost = 2 * time.Minute // the time for a cycle to settle
)

// Run runs as many cycles as there is time for.
func Run(ctx context.Context, options Options) (report *Report, err error) {
	pace, err := paceOf(options)
	if err != nil {
		return nil, err
	}
	if os.Geteuid() != 0 {
		return nil, errors.New("the lab's kernel state is root's: run it as root")
	}
	folder, err := os.MkdirTemp("", "flsoak") // short: a socket path is limited to 107 bytes
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	began := time.Now()
	text, _ := topologies.Find("soak")
	t, err := topology.Parse(text)
	if err != nil {
		return nil, err
	}
	l, err := benchlab.Up(ctx, options.Agent, folder, fmt.Sprintf("flsoak%d", os.Getpid()), string(text))
	if err != nil {
		return nil, err
	}
	report, err = live(ctx, l, t, options.Agent, pace, began.Add(pace.changing))
	if err := errors.Join(err, l.Down()); err != nil {
		return nil, err
	}
	gone := Held{}
	if err := gone.outside(l); err != nil {
		return nil, err
	}
	report.After, report.Seconds = Compare(Held{}, gone), time.Since(began).Seconds()
	return report, nil
}

// pace is how much happens, and how long to wait for expired state to be removed.
type pace struct {
	program        string        // of each cycle
	cycles         int           // at least
	changing       time.Duration // from the start until no further cycle starts
	comeBack, rest time.Duration
	looks          int // at each end
}

func paceOf(options Options) (pace, error) {
	if options.Smoke {
		return pace{program: smokeProgram, cycles: 1, looks: 1}, nil
	}
	rest := idle
	if options.For >= longFrom {
		rest = idleLong
	}
	if options.For < rest+30*time.Second {
		return pace{}, fmt.Errorf("--for is %v; use at least %v, because most of it is rest", options.For, rest+30*time.Second)
	}
	changing := options.For - rest - looksMost*time.Second
	return pace{program: fullProgram, cycles: 2, changing: changing, comeBack: comeBack, rest: rest, looks: looksMost}, nil
}

func live(ctx context.Context, l *benchlab.Lab, t *topology.Topology, agent string, pace pace, until time.Time) (*Report, error) {
	report := &Report{}
	var before Held
	var changing time.Duration
	for report.Cycles < pace.cycles || time.Now().Before(until) {
		began := time.Now()
		changes, err := cycle(ctx, l, t, agent, pace.program)
		if err != nil {
			return nil, fmt.Errorf("cycle %d: %w", report.Cycles+1, err)
		}
		changing += time.Since(began)
		report.Cycles++
		report.Changes += changes
		report.Every = changing.Seconds() / float64(report.Changes)
		if before != nil {
			continue
		}
		// The first cycle allocated what is allocated once.
		if err := benchlab.Pause(ctx, pace.comeBack); err != nil {
			return nil, err
		}
		if before, err = observe(ctx, l, pace.looks, most); err != nil {
			return nil, err
		}
	}
	if err := benchlab.Pause(ctx, pace.rest); err != nil {
		return nil, err
	}
	after, err := observe(ctx, l, pace.looks, least)
	if err != nil {
		return nil, err
	}
	status, err := l.Status(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range status.Traffic {
		report.Requests += t.Requests
	}
	if report.Requests == 0 {
		return nil, errors.New("no request was answered: nothing is proven")
	}
	report.Left = Compare(before, after)
	return report, nil
}
