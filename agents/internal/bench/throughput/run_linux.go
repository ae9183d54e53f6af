package throughput

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"time"

	"fairlead.dev/agents/internal/bench/benchlab"
	"fairlead.dev/agents/internal/lab/topology"
)

// Options are what to measure and with what.
type Options struct {
	Topology    *topology.Topology
	Text        string // that it was read from
	Agent       string // the program fairlead-agent
	Rounds      int
	Connections []int         // of the clients; each is measured with every number of replicas
	Unbounded   bool          // measure with unlimited cables, too
	For         time.Duration // of each
	Changes     int           // of the replica count
	Every       time.Duration // between changes
	Seed        uint64        // of the random numbers
	// Processors returns the idle and total CPU time in seconds.
	Processors func() (idle, all float64, err error)
}

// warmup is the time of each turn that isn't measured.
const warmup = 500 * time.Millisecond

// Run measures each number of replicas, round by round, with and without limited cables, then changes the
// count at random.
func Run(ctx context.Context, options Options, print func(Line)) (err error) {
	if os.Geteuid() != 0 {
		return errors.New("the lab's packets need network namespaces: run it as root")
	}
	folder, err := os.MkdirTemp("", "flthru") // short: a socket path is limited to 107 bytes
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	bounds := []int{options.Topology.Nodes[0].Link.Mbps}
	if options.Unbounded {
		bounds = []int{0, bounds[0]}
	}
	for _, mbps := range bounds {
		if err := options.in(ctx, folder, mbps, print); err != nil {
			return err
		}
	}
	return nil
}

var bounds = regexp.MustCompile(`, mbps: \d+`)

// in runs in its own lab, with limited or unlimited cables.
func (o Options) in(ctx context.Context, folder string, mbps int, print func(Line)) (err error) {
	text := o.Text
	if mbps == 0 {
		text = bounds.ReplaceAllString(text, "")
	}
	l, err := benchlab.Up(ctx, o.Agent, folder, fmt.Sprintf("flth%d", os.Getpid()), text)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Down()) }()
	s, err := newStage(ctx, l, o.Topology)
	defer func() { err = errors.Join(err, s.close()) }()
	if err != nil {
		return err
	}
	for round := range o.Rounds {
		for i := range s.places {
			// Every other round counts upwards, so that no number is always measured last. At first all serve
			// already.
			replicas := len(s.places) - i
			if round%2 == 1 {
				replicas = i + 1
			}
			if err := s.serve(ctx, first(replicas, len(s.places))); err != nil {
				return err
			}
			for _, connections := range o.Connections {
				carried, err := o.measure(ctx, s, connections)
				if err != nil {
					return err
				}
				carried.Round, carried.Mbps, carried.Replicas, carried.Connections = round, mbps, replicas, connections
				print(Line{Carried: carried})
			}
		}
	}
	if mbps == 0 {
		return nil
	}
	return o.follow(ctx, s, mbps, print)
}

// first enables the first replicas of all.
func first(count, all int) []bool {
	serving := make([]bool, all)
	for i := range count {
		serving[i] = true
	}
	return serving
}

func (o Options) measure(ctx context.Context, s *stage, connections int) (*Carried, error) {
	load := startClients(ctx, s.client, s.address(), connections)
	defer load.end()
	if err := benchlab.Pause(ctx, warmup); err != nil {
		return nil, err
	}
	idle, all, err := o.Processors()
	if err != nil {
		return nil, err
	}
	carried, err := s.carried(ctx, o.For)
	if err != nil {
		return nil, err
	}
	idleNow, allNow, err := o.Processors()
	if err != nil {
		return nil, err
	}
	failed, _ := load.take()
	return &Carried{Carried: carried, Idle: (idleNow - idle) / (allNow - all), Failed: failed}, nil
}

// look is the interval of throughput readings while the count changes.
const look = 200 * time.Millisecond

// follow changes the replica count at random while clients upload continuously.
func (o Options) follow(ctx context.Context, s *stage, mbps int, print func(Line)) error {
	chance := rand.New(rand.NewPCG(o.Seed, 0))
	if err := s.serve(ctx, first(1, len(s.places))); err != nil {
		return err
	}
	load := startClients(ctx, s.client, s.address(), slices.Max(o.Connections))
	defer load.end()
	if err := benchlab.Pause(ctx, o.Every/2); err != nil {
		return err
	}
	load.take()
	before := 1
	for range o.Changes {
		replicas := 1 + chance.IntN(len(s.places)-1)
		if replicas >= before {
			replicas++ // any number but the current one
		}
		serving := make([]bool, len(s.places))
		for _, i := range chance.Perm(len(s.places))[:replicas] {
			serving[i] = true
		}
		followed, err := s.followOne(ctx, serving, float64(replicas*mbps), o.Every)
		if err != nil {
			return err
		}
		followed.Replicas, followed.Before = replicas, before
		followed.Failed, followed.Because = load.take()
		print(Line{Followed: followed})
		before = replicas
	}
	return nil
}

// settled is how long after the router's kernel has a change the throughput counts.
const settled = time.Second

// followOne makes one change, and measures throughput until the next is due. Level is the replicas' capacity.
func (s *stage) followOne(ctx context.Context, serving []bool, level float64, every time.Duration) (*Followed, error) {
	began := time.Now()
	routed := make(chan error, 1)
	go func() { routed <- s.serve(ctx, serving) }()
	var passed, routedAfter time.Duration // 0: not yet
	var late []float64
	followed := &Followed{}
	for passed < every || routedAfter == 0 || passed < routedAfter+2*settled {
		now, err := s.carried(ctx, look)
		if passed = time.Since(began); err != nil {
			return nil, err
		}
		select {
		case err := <-routed:
			if err != nil {
				return nil, err
			}
			routedAfter = passed
		default:
		}
		// With more replicas it has to rise to that level, with fewer to fall.
		if followed.LevelMs == 0 && now > 0.9*level && now < 1.1*level {
			followed.LevelMs = milliseconds(passed)
		}
		if routedAfter > 0 && passed > routedAfter+settled {
			late = append(late, now)
		}
	}
	for _, one := range late {
		followed.Carried += one / float64(len(late))
	}
	return followed, nil
}

func milliseconds(span time.Duration) float64 { return float64(span.Microseconds()) / 1e3 }
