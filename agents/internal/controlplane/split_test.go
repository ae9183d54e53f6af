package controlplane_test

import (
	"errors"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"

	"fairlead.dev/agents/internal/controlplane/controlplanetest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// largest is the report of a host with 240 interfaces, one sample a second, and a report every five
// minutes.
func largest(series, points int) *agentv1.ReportRequest {
	report := &agentv1.ReportRequest{
		ObservedRevision: 7, ObservedDigest: "seven", Warnings: []string{"hot"},
		Facts: &agentv1.NodeFacts{Hostname: "node-a"}, Events: []*agentv1.AgentEvent{{Reason: "Once"}},
	}
	at, values := make([]int64, points), make([]float64, points)
	for i := range at {
		at[i] = int64(1_700_000_000_000 + i*1000)
	}
	for i := range series {
		report.Series = append(report.Series, &agentv1.SeriesPoints{
			Metric: "interfaceReceiveBps", Labels: map[string]string{"interface": "eth" + strconv.Itoa(i)}, AtMs: at, Values: values,
		})
	}
	return report
}

func TestEveryReportFitsTheLimits(t *testing.T) {
	for _, size := range []struct{ series, points int }{{15 + 20*8, 300}, {15 + 240*8, 300}, {5000, 1}, {1, 120_000}} {
		synctest.Test(t, func(t *testing.T) {
			cp := controlplanetest.New(t)
			a := enrolled(t, cp, t.TempDir())
			a.Report(largest(size.series, size.points))
			time.Sleep(time.Second)
			synctest.Wait()

			total, facts, events := 0, 0, 0
			for i, part := range cp.Reports() {
				points := 0
				for _, series := range part.GetSeries() {
					points += len(series.GetAtMs())
				}
				total += points
				if len(part.GetSeries()) > 2000 || points > 50_000 || proto.Size(part) > 4<<20 {
					t.Fatalf("part %d has %d series, %d points, %d bytes", i, len(part.GetSeries()), points, proto.Size(part))
				}
				if part.GetObservedRevision() != 7 || part.GetObservedDigest() != "seven" || len(part.GetWarnings()) != 1 {
					t.Fatalf("part %d lacks the current state", i)
				}
				if part.GetFacts() != nil {
					facts++
				}
				events += len(part.GetEvents())
			}
			if total != size.series*size.points || facts != 1 || events != 1 {
				t.Fatalf("%d points, facts %d times, %d events\n%s", total, facts, events, a.log)
			}
		})
	}
}

func TestAReportIsDeliveredWithoutRefusedPoints(t *testing.T) {
	for name, refusal := range map[string]error{
		"invalid":   connect.NewError(connect.CodeInvalidArgument, errors.New("a series has no times")),
		"too large": connect.NewError(connect.CodeResourceExhausted, errors.New("message size 5000000 is larger than configured readMaxBytes 4194304")),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cp := controlplanetest.New(t)
				a := enrolled(t, cp, t.TempDir())
				cp.AnswerReports(func(report *agentv1.ReportRequest) error {
					if len(report.GetSeries()) > 0 {
						return refusal
					}
					return nil
				})
				a.Report(largest(1, 1))
				time.Sleep(time.Second)
				synctest.Wait()
				reports := cp.Reports()
				if len(reports) != 1 || reports[0].GetObservedRevision() != 7 || reports[0].GetFacts() == nil || reports[0].GetDroppedReports() != 1 {
					t.Fatalf("reports = %v\n%s", reports, a.log)
				}
			})
		})
	}
}

func TestAReportIsDeliveredWithoutRefusedFacts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := enrolled(t, cp, t.TempDir())
		cp.AnswerReports(func(report *agentv1.ReportRequest) error {
			if report.GetFacts() != nil {
				return connect.NewError(connect.CodeInvalidArgument, errors.New("the facts are too large"))
			}
			return nil
		})
		for range 2 {
			a.Report(&agentv1.ReportRequest{ObservedRevision: 7, Facts: &agentv1.NodeFacts{Hostname: "node-a"}})
			time.Sleep(time.Second)
		}
		synctest.Wait()
		if reports := cp.Reports(); len(reports) != 2 || reports[1].GetDroppedReports() != 0 {
			t.Fatalf("reports = %v\n%s", reports, a.log)
		}
	})
}

func TestABusyControlPlaneReceivesTheWholeReportLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := enrolled(t, cp, t.TempDir())
		busy := connect.NewError(connect.CodeResourceExhausted, errors.New("more reports arrive than can be stored"))
		busy.Meta().Set("retry-after", "5")
		until := time.Now().Add(time.Minute)
		cp.AnswerReports(func(*agentv1.ReportRequest) error {
			if time.Now().Before(until) {
				return busy
			}
			return nil
		})
		a.Report(largest(1, 1))
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if reports := cp.Reports(); len(reports) != 1 || len(reports[0].GetSeries()) != 1 {
			t.Fatalf("reports = %v\n%s", reports, a.log)
		}
	})
}
