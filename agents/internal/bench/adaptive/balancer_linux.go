package adaptive

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"

	"fairlead.dev/agents/internal/balancer"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/tcx"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// BalancerCommand is the command of a node's balancer, without a control plane.
const BalancerCommand = "adaptive-balancer"

type balancerOptions struct {
	Node  int
	Pins  string // of the node's agent of the role adaptive
	State string // folder in a BPF file system
}

// Balance runs the role balancer with the service over TCP and IPv4, until its input ends.
func Balance(argument string) (err error) {
	var options balancerOptions
	if err := json.Unmarshal([]byte(argument), &options); err != nil {
		return err
	}
	state, err := os.MkdirTemp("", "fairlead-bench-balancer-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(state)) }()
	driver := balancer.NewDriver(balancer.Options{
		Candidates: []datapath.Candidate{tcx.Candidate}, StateFolder: state, AdaptivePins: options.Pins,
		Log:    slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
		Engine: datapath.Options{Interface: balancerInterface, Name: "lb-" + nameOf(options.Node), StateFolder: options.State},
	})
	if err := setBalancer(driver, balancerConfig()); err != nil {
		return errors.Join(err, driver.Close())
	}
	err = obey(func(struct{}) (any, error) { return nil, nil })
	return errors.Join(err, setBalancer(driver, &agentv1.NodeConfig{Revision: 2}), driver.Close())
}

func setBalancer(driver *balancer.Driver, config *agentv1.NodeConfig) error {
	desired, err := balancer.ParseDesired(config)
	if err != nil {
		return err
	}
	_, err = driver.Set(context.Background(), desired)
	return err
}

func balancerConfig() *agentv1.NodeConfig {
	at := ourServices[overTCP]
	service := &agentv1.BalancerService{
		LoadBalancerId: "lb_bench", Address: at.Addr().String(), Port: uint32(at.Port()), Protocol: overTCP.protocol(),
		Delivery: string(datapath.NAT), ByCost: true,
	}
	for i, backend := range overTCP.backends() {
		service.Backends = append(service.Backends, &agentv1.BalancerBackend{
			Id: "be_" + nameOf(i), Address: backend.Addr().String(), Port: uint32(backend.Port()), Weight: 1, State: string(datapath.Active),
		})
	}
	return &agentv1.NodeConfig{Revision: 1, Balancer: &agentv1.BalancerRole{Engine: "tcx", Services: []*agentv1.BalancerService{service}}}
}
