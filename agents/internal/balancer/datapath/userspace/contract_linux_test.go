package userspace_test

import (
	"fmt"
	"net"
	"testing"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/balancer/datapath/userspace"
)

func TestContract(t *testing.T) {
	datapathtest.Run(t, datapathtest.Subject{
		Candidate: userspace.Candidate(),
		SeesLive:  true, SeesTimes: true, Silent: true, Steers: true,
		Damages: []datapathtest.Damage{
			{Name: "the service prefix is no longer local", Do: func(datapath.Options) error {
				return deleteLocal("192.0.2.0/24", "2001:db8::/64")
			}},
			{Name: "the addresses that the engine took are gone", Do: func(datapath.Options) error {
				return deleteLocal("192.0.2.1/32", "2001:db8::1/128")
			}},
		},
	})
}

func deleteLocal(prefixes ...string) error {
	for _, prefix := range prefixes {
		_, network, err := net.ParseCIDR(prefix)
		if err != nil {
			return err
		}
		route := &netlink.Route{Dst: network, Type: unix.RTN_LOCAL, Table: unix.RT_TABLE_LOCAL, Scope: netlink.SCOPE_HOST, LinkIndex: 1}
		if err := netlink.RouteDel(route); err != nil {
			return fmt.Errorf("delete local %s: %w", prefix, err)
		}
	}
	return nil
}
