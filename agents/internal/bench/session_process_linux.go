package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"slices"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf"
	"fairlead.dev/agents/internal/session/companion"
	"fairlead.dev/agents/internal/session/replica"
)

// openSessions makes an engine choose by session; nil without an address for messages.
func openSessions(engine datapath.Engine, listen string) (*replica.Replica, error) {
	if listen == "" {
		return nil, nil
	}
	address, err := netip.ParseAddrPort(listen)
	if err != nil {
		return nil, fmt.Errorf("listen to companions: %w", err)
	}
	joint, can := engine.(*bpf.Engine)
	if !can {
		return nil, fmt.Errorf("%T doesn't choose by session; use the engine %q", engine, tcx)
	}
	return replica.Open(joint, address)
}

// idsWithin is how long a replica of a balancer waits, too.
const idsWithin = 5 * time.Second

// awaitIDs waits until companions have sent their session ids: a balancer's replica isn't ready before.
func awaitIDs(sessions *replica.Replica, services []replica.Service) {
	for until := time.Now().Add(idsWithin); time.Now().Before(until); time.Sleep(time.Millisecond) {
		if !slices.ContainsFunc(services, func(s replica.Service) bool { return len(sessions.LacksIDs(s.Key)) > 0 }) {
			return
		}
	}
}

func closeSessions(sessions *replica.Replica) error {
	if sessions == nil {
		return nil
	}
	return sessions.Close()
}

// companionProcess is the companion of a backend's server. Its argument is the address and port for messages of
// replicas. It takes its services from its input, and ends with it.
func companionProcess(_ context.Context, arguments []string) error {
	if len(arguments) != 1 {
		return errors.New("give the address and port for messages of replicas as one argument")
	}
	address, err := netip.ParseAddrPort(arguments[0])
	if err != nil {
		return fmt.Errorf("listen to replicas: %w", err)
	}
	replies, orders := json.NewEncoder(os.Stdout), json.NewDecoder(os.Stdin)
	if err := companion.Preflight(); err != nil {
		return replies.Encode(engineReply{Refused: err.Error()})
	}
	opened, err := companion.Open(netInterface, address)
	if err != nil {
		return replies.Encode(engineReply{Failed: err.Error()})
	}
	if err := replies.Encode(engineReply{}); err != nil {
		return errors.Join(err, opened.Close())
	}
	for {
		var services []companion.Service
		if orders.Decode(&services) != nil {
			return opened.Close() // the other process has ended
		}
		reply := engineReply{}
		if err := opened.Set(services); err != nil {
			reply.Failed = err.Error()
		} else if problems := opened.Problems(); len(problems) > 0 {
			reply.Failed = fmt.Sprint(problems)
		}
		if err := replies.Encode(reply); err != nil {
			return errors.Join(err, opened.Close())
		}
	}
}
