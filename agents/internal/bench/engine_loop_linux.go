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
		reply.Names = map[string][]names.Name{}
		for _, service := range p.learned.name(p.current.Sessions) {
			for _, backend := range service.Backends {
				for _, name := range backend.Names {
					reply.Names[backend.ID] = append(reply.Names[backend.ID], name)
				}
			}
		}
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
