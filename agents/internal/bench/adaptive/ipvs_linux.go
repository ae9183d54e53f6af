package adaptive

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/ipvs"
)

// ipvsPrefix is before the name of a scheduler in the name of a subject.
const ipvsPrefix = "IPVS "

// runIPVS makes IPVS distribute the connections of all nodes, and returns how to stop that.
func (l *lab) runIPVS(ctx context.Context, scheduler string) (stop func() error, err error) {
	var engines []datapath.Engine
	stop = func() error {
		var errs []error
		for i, engine := range engines {
			errs = append(errs, l.nodes[i].space.Do(func() error { return errors.Join(engine.Remove(), engine.Close()) }))
			errs = append(errs, l.nodes[i].disown(virtualService.Addr()))
		}
		return errors.Join(errs...)
	}
	for _, n := range l.nodes {
		err := n.space.Do(func() error {
			engine, err := ipvs.Candidate().Open(datapath.Options{Interface: "lo", Name: nameOf(n.index)})
			if err != nil {
				return err
			}
			engines = append(engines, engine)
			if err := n.own(virtualService.Addr()); err != nil {
				return err
			}
			outcome, err := engine.Set(ctx, []datapath.Service{ipvsServiceBy(scheduler)})
			for _, failure := range outcome.Failures {
				err = errors.Join(err, errors.New(failure.Reason))
			}
			return err
		})
		if err != nil {
			return stop, err
		}
	}
	return stop, nil
}

func ipvsServiceBy(scheduler string) datapath.Service {
	service := datapath.Service{
		Key:      datapath.Key{Address: virtualService.Addr(), Port: virtualService.Port(), Protocol: datapath.TCP},
		Delivery: datapath.NAT, Scheduler: scheduler,
	}
	for i, at := range overTCP.backends() {
		service.Backends = append(service.Backends, datapath.Backend{
			ID: nameOf(i), Address: at.Addr(), Port: at.Port(), Weight: 1, State: datapath.Active, Up: true,
		})
	}
	return service
}

func schedulerOf(subject string) (scheduler string, is bool) {
	return strings.CutPrefix(subject, ipvsPrefix)
}

// own makes an address local to the node, as IPVS needs it, for connections that still come from the node's own address.
func (n *node) own(at netip.Addr) error {
	return n.changeLocal(at, n.space.Links().RouteReplace)
}

func (n *node) disown(at netip.Addr) error {
	return n.changeLocal(at, n.space.Links().RouteDel)
}

func (n *node) changeLocal(at netip.Addr, change func(*netlink.Route) error) error {
	link, err := n.space.Links().LinkByName("lo")
	if err != nil {
		return err
	}
	err = change(&netlink.Route{
		LinkIndex: link.Attrs().Index, Dst: netlink.NewIPNet(at.AsSlice()), Src: n.at.AsSlice(),
		Type: unix.RTN_LOCAL, Table: unix.RT_TABLE_LOCAL, Scope: netlink.SCOPE_HOST,
	})
	if err != nil {
		return fmt.Errorf("change the local address %s: %w", at, err)
	}
	return nil
}
