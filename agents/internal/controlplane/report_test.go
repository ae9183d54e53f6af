package controlplane_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"

	"fairlead.dev/agents/internal/controlplane"
	"fairlead.dev/agents/internal/controlplane/controlplanetest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

func sequences(reports []*agentv1.ReportRequest) []uint64 {
	var all []uint64
	for _, report := range reports {
		all = append(all, report.GetSequence())
	}
	return all
}

func TestBuffersReportsDuringAnOutageAndDeliversThemInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := enrolled(t, cp, t.TempDir())
		cp.Network.Cut()
		for range 60 {
			a.Report(&agentv1.ReportRequest{})
			time.Sleep(10 * time.Second)
		}
		if a.Waiting() != 60 {
			t.Fatalf("%d waiting", a.Waiting())
		}
		cp.Network.Mend()
		time.Sleep(31 * time.Second)

		got := sequences(cp.Reports())
		if len(got) != 60 || a.Waiting() != 0 {
			t.Fatalf("delivered %v, waiting %d\n%s", got, a.Waiting(), a.log)
		}
		for i, sequence := range got {
			if sequence != uint64(i+1) {
				t.Fatalf("out of order: %v", got)
			}
		}
	})
}

func TestKeepsAReportUntilTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := enrolled(t, cp, t.TempDir())
		var seen []*agentv1.ReportRequest
		cp.AnswerReports(func(report *agentv1.ReportRequest) error {
			if late := time.Since(report.GetSentAt().AsTime()); late < 0 || late > time.Second {
				t.Errorf("sent %s ago", late)
			}
			report = proto.CloneOf(report)
			report.SentAt = nil
			seen = append(seen, report)
			if len(seen) < 3 {
				return connect.NewError(connect.CodeUnavailable, errors.New("the database is away"))
			}
			return nil
		})
		a.Report(&agentv1.ReportRequest{Facts: &agentv1.NodeFacts{Hostname: "node-a"}})
		a.Report(&agentv1.ReportRequest{Facts: &agentv1.NodeFacts{Hostname: "node-a"}})
		time.Sleep(10 * time.Second)
		synctest.Wait() // also orders the handler's writes before the reads below

		if len(seen) != 4 || !proto.Equal(seen[0], seen[1]) || !proto.Equal(seen[1], seen[2]) {
			t.Fatalf("a repeated report must be the same, but for when it was sent: %v", seen)
		}
		if seen[0].GetFacts() == nil || seen[0].GetInfo() == nil || seen[3].GetFacts() != nil || seen[3].GetInfo() != nil {
			t.Fatalf("facts and info are sent once: %v", seen)
		}
	})
}

func TestAFrozenControlPlaneLosesNoReport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := enrolled(t, cp, t.TempDir())
		cp.Network.Freeze()
		for range 12 {
			a.Report(&agentv1.ReportRequest{})
			time.Sleep(10 * time.Second)
		}
		cp.Network.Thaw()
		time.Sleep(31 * time.Second)

		// Reports sent during the freeze may arrive twice, which is harmless.
		delivered := map[uint64]bool{}
		for _, sequence := range sequences(cp.Reports()) {
			delivered[sequence] = true
		}
		if len(delivered) != 12 || a.Waiting() != 0 {
			t.Fatalf("delivered %v, waiting %d\n%s", delivered, a.Waiting(), a.log)
		}
	})
}

// bounded starts an agent with these buffer limits.
func bounded(t *testing.T, cp *controlplanetest.ControlPlane, limits controlplane.OutboxLimits) *agent {
	t.Helper()
	return start(t, controlplane.Options{Token: token(t, cp), StateFolder: t.TempDir(), Dial: cp.Network.Dial, Limits: limits})
}

func TestTheBufferIsBoundedAndADropIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := bounded(t, cp, controlplane.OutboxLimits{Reports: 10, Bytes: 1 << 20})
		synctest.Wait()
		cp.Network.Cut()
		for range 25 {
			a.Report(&agentv1.ReportRequest{Facts: &agentv1.NodeFacts{Hostname: "node-a"}})
		}
		if a.Waiting() != 10 {
			t.Fatalf("%d waiting", a.Waiting())
		}
		cp.Network.Mend()
		time.Sleep(31 * time.Second)

		reports := cp.Reports()
		last := reports[len(reports)-1]
		if len(reports) != 10 || last.GetSequence() != 25 || last.GetDroppedReports() != 15 {
			t.Fatalf("got %v, last %v", sequences(reports), last)
		}
		facts := 0
		for _, report := range reports {
			if report.GetFacts() != nil {
				facts++
			}
		}
		if facts == 0 {
			t.Fatal("the facts were lost with the dropped report")
		}
	})
}

func TestTheBufferIsBoundedInBytesToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		cp.Network.Cut()
		a := bounded(t, cp, controlplane.OutboxLimits{Reports: 1000, Bytes: 10_000})
		for range 100 {
			a.Report(&agentv1.ReportRequest{ConfigError: string(make([]byte, 1000))})
		}
		if got := a.Waiting(); got != 9 {
			t.Fatalf("%d waiting", got)
		}
		a.Report(&agentv1.ReportRequest{ConfigError: string(make([]byte, 50_000))})
		if got := a.Waiting(); got != 1 {
			t.Fatalf("%d waiting after one above the limit: the newest must stay", got)
		}
	})
}

func TestARejectedReportDoesNotBlockOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := enrolled(t, cp, t.TempDir())
		cp.AnswerReports(func(report *agentv1.ReportRequest) error {
			if report.GetSequence() == 1 {
				return connect.NewError(connect.CodeInvalidArgument, errors.New("at is missing"))
			}
			return nil
		})
		for range 3 {
			a.Report(&agentv1.ReportRequest{Facts: &agentv1.NodeFacts{Hostname: "node-a"}})
			synctest.Wait()
		}

		reports := cp.Reports()
		if len(reports) != 2 || reports[0].GetDroppedReports() != 1 || reports[0].GetFacts() == nil {
			t.Fatalf("reports = %v", reports)
		}
	})
}

func TestAReportThatAlwaysFailsIsDroppedInTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := enrolled(t, cp, t.TempDir())
		cp.AnswerReports(func(report *agentv1.ReportRequest) error {
			if report.GetSequence() == 1 {
				return connect.NewError(connect.CodeInternal, errors.New("a bug"))
			}
			return nil
		})
		a.Report(&agentv1.ReportRequest{})
		a.Report(&agentv1.ReportRequest{})
		time.Sleep(3 * time.Minute)
		if len(cp.Reports()) != 0 {
			t.Fatal("dropped too early: the control plane may be the cause")
		}
		time.Sleep(12 * time.Minute)
		if got := sequences(cp.Reports()); len(got) != 1 || got[0] != 2 {
			t.Fatalf("reports %v\n%s", got, a.log)
		}
	})
}

func TestUnchangedFactsAreSentAgainAfterAnHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := enrolled(t, cp, t.TempDir())
		for range 3 {
			a.Report(&agentv1.ReportRequest{Facts: &agentv1.NodeFacts{Hostname: "node-a"}})
			time.Sleep(31 * time.Minute)
		}
		reports := cp.Reports()
		if reports[0].GetFacts() == nil || reports[1].GetFacts() != nil || reports[2].GetFacts() == nil {
			t.Fatalf("reports = %v", reports)
		}
	})
}

func TestAnInventoryIsSentOnceUntilItChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := bounded(t, cp, controlplane.OutboxLimits{Reports: 3, Bytes: 1 << 20})
		synctest.Wait()
		report := func(pods ...string) {
			inventory := &agentv1.Inventory{}
			for _, name := range pods {
				inventory.Instances = append(inventory.Instances, &agentv1.Instance{Name: name})
			}
			a.Report(&agentv1.ReportRequest{Inventory: inventory})
		}
		wantSent := func(want ...int) {
			t.Helper()
			time.Sleep(time.Minute)
			reports := cp.Reports()
			var got []int // number of pods; -1 where the inventory is left out
			for _, each := range reports[len(reports)-len(want):] {
				got = append(got, len(each.GetInventory().GetInstances()))
				if each.GetInventory() == nil {
					got[len(got)-1] = -1
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("sent inventories with %d pods, want %d", got, want)
			}
		}
		report()
		report("web-1")
		report("web-1")
		wantSent(0, 1, -1)
		report()
		wantSent(0)

		cp.Network.Cut()
		time.Sleep(time.Minute) // so that none is in transit
		report("web-1", "web-2")
		for range 3 { // the first is dropped, but its inventory is not
			report("web-1", "web-2")
		}
		cp.Network.Mend()
		wantSent(2, -1, -1)
		time.Sleep(time.Hour)
		report("web-1", "web-2")
		wantSent(2)
	})
}
