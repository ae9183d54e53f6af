package ecmp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

// Options are what to measure and with what.
type Options struct {
	Agent     string // the program fairlead-agent
	FRR, BIRD string // configs that the control plane generated for these routers
	Subjects  []string

	Changes int // announcements and withdrawals together
	Kills   int
	Freezes int // with BFD
	Holds   int // without
	Answers int // backends that become ready; with our router only

	NewReplicas int // new replicas; with our router only
}

// Check returns an error for invalid options.
func (o Options) Check() error {
	for name, count := range map[string]int{"changes": o.Changes, "kills": o.Kills, "freezes": o.Freezes, "holds": o.Holds, "answers": o.Answers, "new-replicas": o.NewReplicas} {
		if count < 0 {
			return fmt.Errorf("--%s is %d; give 0 or more", name, count)
		}
	}
	return nil
}

// Run measures one subject after the other.
func Run(ctx context.Context, options Options, print func(Line)) error {
	if os.Geteuid() != 0 {
		return errors.New("routers and speakers run in network namespaces: run it as root")
	}
	if err := options.Check(); err != nil {
		return err
	}
	chosen, err := pick(subjects(options), options.Subjects)
	if err != nil {
		return err
	}
	var printing sync.Mutex
	alone := func(line Line) {
		printing.Lock()
		defer printing.Unlock()
		print(line)
	}
	for _, subject := range chosen {
		if missing := subject.missing(); missing != "" {
			alone(Line{LeftOut: &LeftOut{subject.name, missing}})
			continue
		}
		if err := measure(ctx, options, subject, alone); err != nil {
			return fmt.Errorf("%s: %w", subject.name, err)
		}
	}
	return nil
}

func measure(ctx context.Context, options Options, subject subject, print func(Line)) (err error) {
	folder, err := os.MkdirTemp("", "flecmp") // short: a socket path is limited to 107 bytes
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if err := os.Chmod(folder, 0o755); err != nil { // FRR runs as another user
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop() // stops the replies in namespaces
	s, err := build(ctx, options, subject, folder)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil && ctx.Err() == nil {
			s.printOutput()
		}
		err = errors.Join(err, s.close())
	}()
	one := func(what string, t time.Duration) { print(took(subject.name, what, t)) }
	as := func(what string) func(time.Duration) { return func(t time.Duration) { one(what, t) } }

	if err := s.settled(ctx, false); err != nil {
		return err
	}
	astray, err := s.randomChanges(ctx, options.Changes, one)
	if err != nil {
		return err
	}
	print(Line{Count: &Count{subject.name, Astray, astray}})
	if err := s.faults(ctx, options.Kills, killed, as(Killed)); err != nil {
		return err
	}
	if err := s.faults(ctx, options.Holds, held, as(Held)); err != nil {
		return err
	}
	if subject.name == Ours {
		if err := s.answers(ctx, options.Answers, options.NewReplicas, one); err != nil {
			return err
		}
	}
	if err := s.detect(); err != nil {
		return err
	}
	return s.faults(ctx, options.Freezes, frozen, as(Frozen))
}
