package ecmp

import (
	"context"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/fib"
	"fairlead.dev/agents/internal/privileged"
)

func watched(t *testing.T) (*host, *kernel) {
	t.Helper()
	privileged.Need(t)
	n, err := newNetwork()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	router, err := n.add("router", routerAt, forwarding)
	if err != nil {
		t.Fatal(err)
	}
	k, err := watchKernel(router.space)
	if err != nil {
		t.Fatal(err)
	}
	go k.follow(ctx)
	t.Cleanup(func() {
		stop()
		<-k.ended
		if err := n.close(); err != nil {
			t.Error(err)
		}
	})
	return router, k
}

// Routers differ in what they replace: ours a group's members, others whole routes.
func TestNextHopChangesAreDetectedHoweverTheyAreWritten(t *testing.T) {
	to, one, two := host32(shared), at(lan, speakerAt), at(lan, speakerAt+1)
	for _, c := range []struct {
		name string
		set  func(*testing.T, *host) func(...netip.Addr) error
	}{
		{"resilient groups", byTable(true)},
		{"plain groups", byTable(false)},
		{"multipath routes", func(_ *testing.T, router *host) func(...netip.Addr) error {
			return func(hops ...netip.Addr) error {
				link, err := router.space.Links().LinkByName(uplink)
				if err != nil {
					return err
				}
				route := &netlink.Route{Dst: netlink.NewIPNet(to.Addr().AsSlice()), Family: unix.AF_INET}
				if len(hops) == 0 {
					return router.space.Links().RouteDel(route)
				}
				for _, hop := range hops {
					route.MultiPath = append(route.MultiPath, &netlink.NexthopInfo{LinkIndex: link.Attrs().Index, Gw: hop.AsSlice()})
				}
				return router.space.Links().RouteReplace(route)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			router, k := watched(t)
			set := c.set(t, router)
			changes := 0
			for i, step := range []struct {
				hops  []netip.Addr
				way   netip.Addr
				there bool
			}{
				{[]netip.Addr{one}, one, true},
				{[]netip.Addr{one, two}, two, true},
				{[]netip.Addr{two}, one, false},
				{nil, two, false},
				{[]netip.Addr{one}, one, true},
			} {
				began := time.Now()
				if err := set(step.hops...); err != nil {
					t.Fatal(err)
				}
				at, err := k.await(t.Context(), way{to, step.way}, step.there, 5*time.Second)
				if changes++; err != nil || at.Before(began) || k.changes() != changes {
					t.Fatalf("step %d: at %v of %v, %d changes, %v", i+1, at, began, k.changes(), err)
				}
			}
			if _, err := k.await(t.Context(), way{to, two}, true, time.Millisecond); err == nil {
				t.Error("there is a hop that was never written")
			}
		})
	}
}

func byTable(resilient bool) func(*testing.T, *host) func(...netip.Addr) error {
	return func(t *testing.T, router *host) func(...netip.Addr) error {
		table, err := fib.Open(fib.Options{Owner: 218, Resilient: resilient, Inside: router.space.Do})
		if err != nil {
			t.Fatal(err)
		}
		return func(hops ...netip.Addr) error {
			wanted := make([]fib.Hop, len(hops))
			for i, hop := range hops {
				wanted[i] = fib.Hop{Via: hop, Weight: 1}
			}
			return table.Set(host32(shared), wanted)
		}
	}
}

func TestInvalidOptionsAreReported(t *testing.T) {
	if err := (Options{Kills: -1}).Check(); fmt.Sprint(err) != "--kills is -1; give 0 or more" {
		t.Error(err)
	}
	if _, err := pick(subjects(Options{}), []string{"frr"}); fmt.Sprint(err) != `there is no subject "frr"; give some of: Fairlead, FRR, BIRD` {
		t.Error(err)
	}
	some, err := pick(subjects(Options{BIRD: "/nowhere"}), []string{"BIRD"})
	if err != nil || len(some) != 1 || some[0].missing() != `"/nowhere" isn't there` {
		t.Errorf("%v, %v", some, err)
	}
}
