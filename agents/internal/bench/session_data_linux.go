package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/bench/peer"
	"fairlead.dev/agents/internal/bench/sessionapp"
)

// withStore is the subject that returns no client to its backend, whose servers share their sessions.
const withStore = tcx + " direct, data in Redis"

// DataTurn is a turn whose requests need all data of their session.
type DataTurn struct {
	Turn
	TLS   string `json:"tls"`
	Bytes int    `json:"bytes"` // of each session's data
}

// dataSubjects are those of the paper's figures 3 and 4: ours, a balancer at layer 4, and two at layer 7.
func dataSubjects() ([]subject, error) {
	list := []subject{
		{name: bySession, kind: Engine},
		{name: withStore, kind: Engine, port: sharedPort, start: engine(tcx, datapath.Direct)},
	}
	for _, name := range []string{"haproxy-cookie", "nginx-cookie"} {
		kind, err := peer.Find(name)
		if err != nil {
			return nil, err
		}
		list = append(list, peerSubject(kind))
	}
	for i := range list {
		list[i].secured = true
	}
	return list, nil
}

// measureData measures each subject with each size of the data of a session, which are in the memory of the server that
// clients return to, or in Redis. It has its own lab, with other servers.
func measureData(ctx context.Context, plan SessionPlan, clusterKey []byte, folder string, print func(SessionLine)) (err error) {
	if _, err := os.Stat(sessionapp.RedisProgram); err != nil {
		return errors.New("the servers' shared store isn't installed: run `apt-get install -y redis-server`")
	}
	list, err := dataSubjects()
	list = slices.DeleteFunc(list, func(s subject) bool { return !plan.selects(s.name) })
	if err == nil {
		err = lacking(list)
	}
	if err != nil || len(list) == 0 {
		return err
	}
	lab, err := newSessionLab(clusterKey, folder, (*sessionLab).serveApplication)
	defer func() { err = errors.Join(err, lab.Close()) }()
	if err != nil {
		return err
	}
	if err := lab.startStore(ctx); err != nil {
		return err
	}
	subjects, err := lab.launchAll(ctx, list, print)
	defer func() {
		for _, s := range subjects {
			err = errors.Join(err, s.stop())
		}
	}()
	if err != nil {
		return err
	}
	for round := range plan.DataRounds {
		if err := lab.playDataRound(ctx, plan, subjects, round, print); err != nil {
			return err
		}
	}
	return nil
}

// playDataRound measures the sizes of one subject one after the other: they are compared with each other.
func (l *sessionLab) playDataRound(ctx context.Context, plan SessionPlan, subjects []*running, round int, print func(SessionLine)) error {
	turns := plan.turns(plan.Clients)
	for _, turns.tlsVersion = range []string{"1.3", "1.2"} {
		for _, s := range order(subjects, round) {
			for _, size := range order(plan.Sizes, round) {
				turns.path = fmt.Sprintf("%s?bytes=%d", sessionapp.SessionPath, size)
				load, spent, err := turn(ctx, l.network, turns, s, Return)
				if err == nil {
					err = l.forget(ctx, usualBackends)
				}
				if err != nil {
					return fmt.Errorf("round %d, %s, TLS %s, %d bytes: %w", round+1, s.name, turns.tlsVersion, size, err)
				}
				print(SessionLine{Data: &DataTurn{
					Turn{Round: round, Subject: s.name, Kind: s.kind, Workload: Return, Load: load, Spent: spent}, turns.tlsVersion, size,
				}})
			}
		}
	}
	return nil
}
