package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"fairlead.dev/agents/internal/bench/load"
	"fairlead.dev/agents/internal/netspace"
)

// The load of a case: about half of what two cores can do.
const (
	returnRate        = 500 // connections per second
	returnRequests    = 3   // on each connection, so that connections are open when something changes
	returnUsers       = 200
	returnConnections = 5 // of each user, so that new sessions begin all the time
	returnThink       = 50 * time.Millisecond
	returnTimeout     = 20 * time.Second // a lost SYN, again and again
	shortestChange    = 2 * time.Second
	startsLater       = 500 * time.Millisecond // at most, the clock of the generator
)

// measureReturns measures each case with its own clients.
func (l *sessionLab) measureReturns(ctx context.Context, plan SessionPlan, print func(SessionLine)) error {
	cases := plan.cases()
	if len(cases) == 0 {
		return nil
	}
	if err := l.addSecondReplica(); err != nil {
		return fmt.Errorf("start the second replica: %w", err)
	}
	for _, each := range cases {
		returned, err := l.measureCase(ctx, plan, each)
		if err != nil {
			return fmt.Errorf("%+v: %w", each, err)
		}
		print(SessionLine{Returned: returned})
	}
	return nil
}

// users are fewer in a short case, so that new sessions begin in it.
func (p SessionPlan) users() int { return min(returnUsers, max(fewestReturns, p.Returns/20)) }

// span is how long a case has to last: the first connection of each user is no return.
func (p SessionPlan) span(change Change) time.Duration {
	share := float64(returnConnections-1) / returnConnections
	spare := 1.1
	if change == BackendChange {
		spare = 1.4 // returns of removed backends are counted apart
	}
	connections := p.users() + int(spare*float64(p.Returns)/share)
	span := time.Duration(connections) * time.Second / returnRate
	if change == BackendChange || change == ReplicaFailure {
		span = max(span, shortestChange)
	}
	return span
}

func (l *sessionLab) measureCase(ctx context.Context, plan SessionPlan, c ReturnCase) (_ *Returned, err error) {
	timestamps := "0"
	if c.Timestamps {
		timestamps = "1"
	}
	if err := l.client.SetSysctl("net/ipv4/tcp_timestamps", timestamps); err != nil {
		return nil, err
	}
	span := plan.span(c.Change)
	changing := &changes{lab: l, span: span, leaving: span}
	undo, err := changing.prepare(c.Change)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, undo()) }()
	address := serviceAddress(sessionService)
	if c.Family == 6 {
		address = serviceAddress6(sessionService)
	}
	traffic := returning{to: netip.AddrPortFrom(address, securePort), rate: returnRate, users: plan.users(), span: span}
	return l.loadReturns(ctx, c, traffic, changing, func() error { return changing.play(ctx, c.Change) })
}

// returning is the traffic of clients that return.
type returning struct {
	to    netip.AddrPort
	rate  int // connections per second
	users int
	span  time.Duration
}

// loadReturns sends traffic, does something meanwhile, and counts how clients return.
func (l *sessionLab) loadReturns(ctx context.Context, c ReturnCase, traffic returning, during *changes, meanwhile func() error) (*Returned, error) {
	file := filepath.Join(l.folder, "returns")
	command := exec.CommandContext(ctx, "/proc/self/exe", "load", "https://bench"+smallPath, "--json", "--insecure",
		"--connect", traffic.to.String(), "--tls", string(c.Resumption), "--returns", file,
		"--hello-packets", fmt.Sprint(c.HelloPackets), "--rate", fmt.Sprint(traffic.rate*returnRequests), "--requests", fmt.Sprint(returnRequests),
		"--users", fmt.Sprint(traffic.users), "--connections", fmt.Sprint(returnConnections), "--think", returnThink.String(),
		"--warmup", "0s", "--for", traffic.span.String(), "--timeout", returnTimeout.String(),
		"--max-lateness", "1h") // nothing is timed
	report, err := runLoad(l.client, command, meanwhile)
	if err != nil {
		return nil, err
	}
	returned := &Returned{
		ReturnCase: c, Connections: report.Sessions.Connections, Requests: report.Due, Seconds: report.Seconds,
		Unoffered: report.Sessions.Returns - report.Sessions.Offered,
		Broken:    report.Failed + report.Unsent + report.Reopened, Failures: report.Failures, FirstFailure: report.FirstFailure,
	}
	return returned, returned.countIn(file, during)
}

// runLoad runs the generator in a namespace, and something else meanwhile.
func runLoad(space *netspace.Space, command *exec.Cmd, meanwhile func() error) (report load.Report, err error) {
	command.Stderr = os.Stderr
	output, err := command.StdoutPipe()
	if err != nil {
		return report, err
	}
	if err := space.StartBound(command); err != nil {
		return report, err
	}
	failed := meanwhile()
	if failed != nil {
		_ = command.Process.Kill()
	}
	err = json.NewDecoder(output).Decode(&report)
	if err = errors.Join(failed, err, command.Wait()); err != nil {
		return report, fmt.Errorf("the generator: %w", err)
	}
	return report, nil
}

// countIn counts the returns in a file of the generator.
func (r *Returned) countIn(path string, during *changes) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	for lines := json.NewDecoder(bufio.NewReader(file)); lines.More(); {
		var one load.Return
		if err := lines.Decode(&one); err != nil {
			return fmt.Errorf("read the returns: %w", err)
		}
		if one.Offered {
			r.count(one, during)
			if during.each != nil {
				during.each(one)
			}
		}
	}
	return nil
}

func (r *Returned) count(one load.Return, during *changes) {
	same := one.Backend == one.Before && one.Backend != ""
	done := one.Seconds + one.Milliseconds/1e3
	switch {
	case !during.leaves(one.Before) || done < (during.leaving-startsLater).Seconds():
		r.Returns++
		if one.Resumed {
			r.Resumed++
		}
		if one.Resumed && same {
			r.SameBackend++
		}
	case one.Seconds < during.left.Seconds():
		r.Between++
	default:
		r.Gone++
		if one.Resumed && !same {
			r.GoneResumed++
		}
	}
}
