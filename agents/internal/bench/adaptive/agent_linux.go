package adaptive

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/netip"
	"os"

	"google.golang.org/protobuf/encoding/protojson"

	role "fairlead.dev/agents/internal/adaptive"
	"fairlead.dev/agents/internal/adaptive/cpulimit"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// AgentCommand is the command of a node's agent, without a control plane.
const AgentCommand = "adaptive-agent"

type agentOptions struct {
	Cgroup, Limit, Pins string
	Online              string // file with the CPUs that its server may use
	At                  netip.AddrPort
	Config              json.RawMessage
}

// agentOrder requests the status.
type agentOrder struct{}

// Agent runs the role with one config.
func Agent(argument string) error {
	var options agentOptions
	if err := json.Unmarshal([]byte(argument), &options); err != nil {
		return err
	}
	config := &agentv1.NodeConfig{}
	if err := protojson.Unmarshal(options.Config, config); err != nil {
		return err
	}
	desired, err := role.ParseDesired(config)
	if err != nil {
		return err
	}
	ctx := context.Background()
	driver := role.NewDriver(role.Options{
		Cgroup: options.Cgroup, PinFolder: options.Pins, Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
		CPU:    cpulimit.Cgroup{CPU: options.Limit, Root: options.Limit, Online: options.Online},
		Listen: func(context.Context) (netip.AddrPort, error) { return options.At, nil },
	})
	if _, err := driver.Set(ctx, desired); err != nil {
		return err
	}
	if err := obey(func(agentOrder) (any, error) {
		observed, err := driver.Observe(ctx)
		if err != nil {
			return nil, err
		}
		text, err := protojson.Marshal(observed.Status)
		return json.RawMessage(text), err
	}); err != nil {
		return err
	}
	if _, err := driver.Set(ctx, role.Desired{}); err != nil { // also removes the programs
		return err
	}
	return driver.Close()
}
