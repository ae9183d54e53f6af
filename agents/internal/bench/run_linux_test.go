package bench

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer"
	"fairlead.dev/agents/internal/balancer/maglev"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/racing"
)

// The benchmark starts itself again for each end; here that is the test binary.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && commands[os.Args[1]] != nil {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, unix.SIGTERM)
		defer stop()
		if err := Command(ctx, os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestEverySubjectRunsEveryTurnAndNothingIsLeft(t *testing.T) {
	plan := Plan{Rounds: 2, Connections: 4, Live: 50, For: 100 * time.Millisecond, Subjects: []string{"tcx hop", "xdp hop", "tcx direct", "nftables DNAT", "HAProxy tcp", "HAProxy http", "HAProxy TLS", "nginx stream", "nginx http", "nginx TLS"}}
	if racing.Slower > 1 {
		// A client slowed down by the race detector may get no reply in a short turn. One round is enough to
		// find races.
		plan.Rounds, plan.For = 1, 500*time.Millisecond
	}
	var turns, weighed []string
	costs := 0
	err := DataPath(t.Context(), plan, func(line Line) {
		switch {
		case line.Turn != nil:
			turns = append(turns, fmt.Sprintf("%d %s %s %s", line.Turn.Round, line.Turn.Workload, line.Turn.Kind, line.Turn.Subject))
			if line.Turn.Failed > 0 || line.Turn.Processors <= 0 {
				t.Errorf("%+v", line.Turn)
			}
		case line.Cost != nil:
			costs++
			if !slices.Contains([]string{"tcx hop", "xdp hop", "tcx direct"}, line.Cost.Subject) || line.Cost.Empty <= 0 || line.Cost.Nanoseconds <= line.Cost.Empty {
				t.Errorf("%+v", line.Cost)
			}
		case line.Memory != nil:
			weighed = append(weighed, line.Memory.Subject)
			if line.Memory.Bytes == 0 || line.Memory.Connections != plan.Live {
				t.Errorf("%+v", line.Memory)
			}
		default:
			t.Errorf("left out: %+v", line.LeftOut)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if costs != plan.Rounds*3 {
		t.Errorf("the cost of a packet was taken %d times in %d rounds", costs, plan.Rounds)
	}
	if want := []string{"HAProxy tcp", "HAProxy http", "HAProxy TLS", "nginx stream", "nginx http", "nginx TLS"}; !slices.Equal(weighed, want) {
		t.Errorf("whose memory was measured: %q", weighed)
	}
	last := plan.Rounds - 1
	if len(turns) != plan.Rounds*(6*4+5*3) || turns[0] != "0 small direct direct" || !slices.Contains(turns, fmt.Sprint(last, " udp peer nginx stream")) || slices.Contains(turns, fmt.Sprint(last, " udp peer HAProxy tcp")) {
		t.Errorf("%d turns: %s", len(turns), strings.Join(turns, "\n"))
	}
	if names, err := netspace.Names(fmt.Sprintf("%s%d-", namePrefix, os.Getpid())); len(names) > 0 || err != nil {
		t.Errorf("left behind: %v, %v", names, err)
	}
	if _, err := os.Stat(fmt.Sprintf("%s/%d", pins, os.Getpid())); !os.IsNotExist(err) {
		t.Errorf("pins are left behind: %v", err)
	}
}

func TestAnUnknownSubjectIsReportedWithTheValidNames(t *testing.T) {
	if _, err := pick(all(balancer.Candidates()), []string{"HAProxy tcp", "pigeons"}); err == nil || !strings.Contains(err.Error(), `"pigeons"`) || !strings.Contains(err.Error(), "nginx http") {
		t.Errorf("%v", err)
	}
	chosen, err := pick(all(balancer.Candidates()), []string{"HAProxy tcp"})
	if err != nil || len(chosen) != 2 || chosen[0].kind != Direct {
		t.Errorf("%d subjects, %v", len(chosen), err)
	}
}

func TestProcessorTimeIsReadAfterAnyProcessName(t *testing.T) {
	ticks, err := ticksIn("12 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 40 2 0 0")
	if err != nil || ticks != 42 {
		t.Errorf("%d, %v", ticks, err)
	}
	if _, err := ticksIn("12 (a) S 1 2"); err == nil {
		t.Error("a short line is no error")
	}
}

func TestMachineTimeIsReadFromTheFirstLine(t *testing.T) {
	softirq, idle, all, err := machineIn("cpu  100 1 200 3000 40 5 600 7 50 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n")
	if err != nil || softirq != 6 || idle != 30.4 || all != 39.53 {
		t.Errorf("%g, %g, %g, %v", softirq, idle, all, err)
	}
	if _, _, _, err := machineIn("cpu 1 2 3"); err == nil {
		t.Error("a short line is no error")
	}
}

func TestAnEngineGrowsAndShrinksWithoutLoss(t *testing.T) {
	applied, held := map[string]int{}, map[string]bool{}
	plan := Plan{Rounds: 1, Connections: 1, For: 1500 * time.Millisecond, Services: 20, Flows: 20_000, Subjects: []string{"tcx", "userspace"}}
	err := BalancerScale(t.Context(), plan, func(line Line) {
		switch {
		case line.Applied != nil:
			a := line.Applied
			applied[fmt.Sprint(a.Subject, " ", a.What, " ", a.Loaded)]++
			if a.Subject == "tcx direct" && !isNearly(a.Flows, plan.Flows) {
				t.Errorf("%d flows are carried, want %d", a.Flows, plan.Flows)
			}
			if a.Changes == 0 || a.Seconds <= 0 || a.MemoryBytes == 0 || a.Subject == "tcx direct" && a.What == "grows" && a.KernelBytes < 20*maglev.Rows {
				t.Errorf("%+v", a)
			}
		case line.Loaded != nil:
			if line.Loaded.Failed+line.Loaded.Lost > 0 {
				t.Errorf("%+v", line.Loaded)
			}
			held[line.Loaded.Subject] = held[line.Loaded.Subject] || line.Loaded.Held > 0
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, engine := range []string{"tcx direct", "userspace proxy"} {
		if applied[engine+" grows false"] != 1 || applied[engine+" shrinks true"] < 2 {
			t.Errorf("%s: %v", engine, applied)
		}
	}
	if !held["tcx direct"] || held["userspace proxy"] {
		t.Errorf("where first packets waited: %v", held)
	}
}

func TestRetransmissionsAreFoundByName(t *testing.T) {
	const snmp = "Ip: Forwarding RetransSegs\nIp: 1 99\nTcp: MaxConn OutSegs RetransSegs InErrs\nTcp: -1 40 7 0\n"
	if count, err := countIn(snmp, "Tcp:", "RetransSegs"); count != 7 || err != nil {
		t.Errorf("%d, %v", count, err)
	}
	if _, err := countIn("Tcp: OutSegs\nTcp: 1\n", "Tcp:", "RetransSegs"); err == nil {
		t.Error("a kernel that doesn't count is no error")
	}
}
