package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/session/names"
	"fairlead.dev/agents/internal/session/replica"
)

// engineLoop is an engine that carries what it is ordered.
type engineLoop struct {
	engine   datapath.Engine
	sessions *replica.Replica // nil if it doesn't choose by session
	relay    *relay
	current  carried
	learned  learned
}

// run follows orders until there are no more.
func (p *engineLoop) run(ctx context.Context, wanted <-chan carried, replies *json.Encoder) {
	for {
		select {
		case <-p.learned.probed:
			if len(p.current.Learn) == 0 {
				continue
			}
			if err := p.sessions.Set(p.learned.name(p.current.Sessions)); err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
		case next, more := <-wanted:
			if !more || replies.Encode(p.carry(ctx, next)) != nil {
				return
			}
		}
	}
}

func (p *engineLoop) carry(ctx context.Context, wanted carried) (reply engineReply) {
	if wanted.Count != nil {
		return countLive(ctx, p.engine, *wanted.Count, wanted.Until)
	}
	if wanted.OnlyNames {
		reply.Names = namesOfAll(p.learned.name(p.current.Sessions))
		return reply
	}
	p.current = wanted
	began, cpu := time.Now(), cpuSeconds()
	changes, err := datapath.Whole(p.engine.Set(ctx, wanted.Services))
	services := wanted.Sessions
	if len(wanted.Learn) > 0 {
		p.learned.learn(services, wanted.LearnEvery, wanted.Learn)
		services = p.learned.name(services)
	} else {
		p.learned.close()
	}
	if err == nil && p.sessions != nil {
		err = p.sessions.Set(services)
	}
	if err != nil {
		reply.Failed = err.Error()
	}
	reply.Changes, reply.Seconds, reply.CPUSeconds = changes, time.Since(began).Seconds(), cpuSeconds()-cpu
	reply.Held = p.relay.counted()
	if err == nil && p.sessions != nil {
		awaitIDs(p.sessions, wanted.Sessions)
	}
	return reply
}

// namesOfAll returns the names of each backend that all services know. Services learn separately: those of IPv4 and IPv6 may be
// minutes apart.
func namesOfAll(services []replica.Service) map[string][]names.Name {
	found, counts := map[string][]names.Name{}, map[string]map[names.Name]int{}
	for _, service := range services {
		for _, backend := range service.Backends {
			if counts[backend.ID] == nil {
				counts[backend.ID] = map[names.Name]int{}
			}
			for _, name := range backend.Names {
				if counts[backend.ID][name]++; counts[backend.ID][name] == len(services) {
					found[backend.ID] = append(found[backend.ID], name)
				}
			}
		}
	}
	return found
}
