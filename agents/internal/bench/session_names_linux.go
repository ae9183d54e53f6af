package bench

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/bench/benchlab"
	"fairlead.dev/agents/internal/bench/load"
	"fairlead.dev/agents/internal/session/keys"
)

const (
	namesResumption = load.PSK
	namesBefore     = 2 * time.Second // of returns with the first keys
	namesSettle     = time.Second     // from the probe that sees new keys to the returns that count
	namesPoll       = 10 * time.Millisecond
	// namesLate is how much later than the interval a probe may be, which takes some connections.
	namesLate = 5 * time.Second
)

// Renamed is how clients return before and after all servers changed their ticket key, whose names a replica learns.
type Renamed struct {
	Every   float64 `json:"every"`   // seconds between probes of a server
	Learned float64 `json:"learned"` // seconds from the change until the replica had all new names
	Before  Home    `json:"before"`
	Between Home    `json:"between"` // the change and the probe
	After   Home    `json:"after"`
	Broken  uint64  `json:"broken"` // requests
}

// Home is how many returns with a session reached its backend.
type Home struct {
	Returns     int `json:"returns"`
	Resumed     int `json:"resumed"`
	SameBackend int `json:"sameBackend"`
}

// measureNames has the first replica learn the names of the servers' ticket keys, and the servers change them. The servers accept
// the tickets of all keys.
func (l *sessionLab) measureNames(ctx context.Context, plan SessionPlan, print func(SessionLine)) (err error) {
	if plan.NamesEvery == 0 {
		return nil
	}
	if err := l.learnNames(ctx, plan.NamesEvery); err != nil {
		return fmt.Errorf("learn the names of ticket keys: %w", err)
	}
	defer func() { err = errors.Join(err, l.setReplica(0, usual())) }() // with the names of its config
	users := min(returnUsers, max(fewestReturns, plan.NamesReturns/20))
	counted := time.Duration(1.1*float64(plan.NamesReturns*returnConnections)/(returnConnections-1)) * time.Second / returnRate
	latest := plan.NamesEvery + plan.NamesEvery/10 + namesLate
	traffic := returning{
		to: netip.AddrPortFrom(serviceAddress(sessionService), securePort), rate: returnRate, users: users,
		span: namesBefore + latest + namesSettle + counted,
	}
	result := &Renamed{Every: plan.NamesEvery.Seconds()}
	var changed, known time.Duration
	c, still := ReturnCase{Resumption: namesResumption, Family: 4, Timestamps: true, HelloPackets: 1, Change: NoChange}, &changes{lab: l, leaving: traffic.span}
	still.each = func(one load.Return) {
		done := time.Duration(one.Seconds*float64(time.Second) + one.Milliseconds*float64(time.Millisecond))
		due := time.Duration(one.Seconds * float64(time.Second))
		switch {
		case done < changed-startsLater:
			result.Before.count(one)
		case due >= known+namesSettle:
			result.After.count(one)
		default:
			result.Between.count(one)
		}
	}
	if err := l.client.SetSysctl("net/ipv4/tcp_timestamps", "1"); err != nil {
		return err
	}
	began := time.Now()
	returned, err := l.loadReturns(ctx, c, traffic, still, func() error {
		if err := benchlab.Pause(ctx, namesBefore); err != nil {
			return err
		}
		changed = time.Since(began)
		if err := l.changeKeys(); err != nil {
			return err
		}
		err := l.awaitNames(ctx, latest)
		known = time.Since(began)
		return err
	})
	if err != nil {
		return err
	}
	result.Learned, result.Broken = (known - changed).Seconds(), returned.Broken
	print(SessionLine{Renamed: result})
	return nil
}

// learnNames replaces the names of the replica's config by learned ones, and waits until it has them.
func (l *sessionLab) learnNames(ctx context.Context, every time.Duration) error {
	wanted := l.carried(usual())
	wanted.Learn, wanted.LearnEvery = map[string]netip.AddrPort{}, every
	for _, b := range usual() {
		wanted.Learn[sessionHosts[b.index]] = netip.AddrPortFrom(hostAddress(backendHost(b.index)), securePort)
	}
	if _, err := l.replicas[0].order(wanted); err != nil {
		return err
	}
	return l.awaitNames(ctx, startsWithin)
}

// awaitNames waits until the replica has learned the name of each server's current key.
func (l *sessionLab) awaitNames(ctx context.Context, within time.Duration) error {
	for deadline := time.Now().Add(within); ; {
		reply, err := l.replicas[0].order(carried{OnlyNames: true})
		if err != nil {
			return err
		}
		missing := slices.DeleteFunc(usual(), func(b sessionBackend) bool {
			name := sessionHosts[b.index]
			return slices.Contains(reply.Names[name], l.epoch.Name(name))
		})
		if len(missing) == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("within %v, %d of %d servers' names were not learned", within, len(missing), usualBackends)
		}
		if err := benchlab.Pause(ctx, namesPoll); err != nil {
			return err
		}
	}
}

// changeKeys gives each server another key for tickets. It accepts those of the former keys, too.
func (l *sessionLab) changeKeys() error {
	former := l.epoch
	l.epoch = keys.NewEpoch(former.Number + 1)
	for i, name := range sessionHosts {
		err := keys.WriteNginx(filepath.Join(l.folder, name), keys.For(name, sessionHosts, l.epoch, former))
		if err != nil {
			return err
		}
		if err := l.servers[i].Process.Signal(unix.SIGHUP); err != nil {
			return fmt.Errorf("reload nginx: %w", err)
		}
	}
	return nil
}

func (h *Home) count(one load.Return) {
	h.Returns++
	if one.Resumed {
		h.Resumed++
	}
	if one.Backend != "" && one.Backend == one.Before {
		h.SameBackend++
	}
}
