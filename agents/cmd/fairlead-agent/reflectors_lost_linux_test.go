package main

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestAKilledRouterAdoptsItsRoutes(t *testing.T) {
	t.Parallel()
	s := newSite(t, 3)
	s.settle(t)
	kernel := func() string { return s.routing.ip(t, "-d route") + s.routing.ip(t, "-d nexthop") }
	stayed, before := s.watch(t), kernel()

	s.routing.end(t, syscall.SIGKILL)
	s.routing.never(t, "RoutesTakenOver")
	if now := kernel(); now != before {
		t.Errorf("when it was killed, the kernel had\n%s\nand has\n%s", before, now)
	}
	s.routing.start(t, "router")
	s.routing.logs(t, "RoutesTakenOver", "Adopted 1 routes")
	if now := kernel(); now != before {
		t.Errorf("when the next began, the kernel had\n%s\nand has\n%s", before, now)
	}
	s.routing.logsTimes(t, "BgpSessionUp", 2, s.reflecting.IPv4.String())
	s.speakers[1].end(t, syscall.SIGKILL)
	s.goesBy(t, "the next has settled", s.speakers[0].IPv4)
	stayed()
	if n := strings.Count(s.routing.printed.String(), "event=RoutesTakenOver "); n != 1 {
		t.Errorf("reported %d times", n)
	}
}

func TestOneReflectorOfTwoMayDie(t *testing.T) {
	t.Parallel()
	s := newSpareSite(t, 3)
	s.settle(t)
	s.offeredByAll(t)
	kernel := func() string { return s.routing.ip(t, "-d route") + s.routing.ip(t, "nexthop") }
	stayed, before := s.watch(t), kernel()
	for _, one := range s.reflectors() {
		one.end(t, syscall.SIGKILL)
		s.routing.logs(t, "BgpSessionDown", one.IPv4.String())
		if now := kernel(); now != before {
			t.Errorf("without %s, the kernel had\n%s\nand has\n%s", one.Name, before, now)
		}
		one.start(t, "reflector")
		s.routing.logsTimes(t, "BgpSessionUp", 2, one.IPv4.String())
		s.offeredByAll(t)
	}
	s.routing.never(t, "RoutesKept")
	stayed()
	if now := kernel(); now != before {
		t.Errorf("when both are back, the kernel had\n%s\nand has\n%s", before, now)
	}
}

func TestWithoutReflectorsRoutesStayForTheKeepTime(t *testing.T) {
	t.Parallel()
	for name, signal := range map[string]syscall.Signal{"killed": syscall.SIGKILL, "terminated": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			loseReflectors(t, signal)
		})
	}
}

func loseReflectors(t *testing.T, signal syscall.Signal) {
	const keeps, late = 4 * time.Second, 8 * time.Second // the hold time, and a busy machine
	s := newSpareSite(t, 3)
	s.keepMs = int(keeps.Milliseconds())
	s.settle(t)
	s.offeredByAll(t)
	stayed := s.watch(t)
	began := time.Now()
	for _, one := range s.reflectors() {
		one.end(t, signal)
	}
	s.routing.logs(t, "RoutesKept", "routes are kept until", "1 routes")
	stayed()
	s.goesBy(t, "no peer is left", s.hosts()...)
	waitFor(t, "warning", func() bool { return strings.Contains(s.routing.page("status"), "All peers are lost") })
	s.goesBy(t, "no peer came back")
	if took := time.Since(began); took < keeps || took > keeps+late {
		t.Errorf("routes were kept for %s, want %s", took, keeps)
	}
	s.routing.logs(t, "RoutesGivenUp", fmt.Sprintf("within %s", keeps), "1 routes are removed")

	s.spare.start(t, "reflector")
	s.goesBy(t, "one is back", s.hosts()...)
}
