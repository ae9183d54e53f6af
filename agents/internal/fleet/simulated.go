package fleet

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"fairlead.dev/agents/internal/controlplane"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/version"
)

// simulated is an agent with a simulated host.
type simulated struct {
	options  Options
	session  *controlplane.Session
	tally    *tally
	walks    []walk
	facts    *agentv1.NodeFacts
	revision uint64
	digest   string
	free     chan *agentv1.ReportRequest // acknowledged, for reuse
}

func newSimulated(options Options, index int, token *controlplane.Token, tally *tally) *simulated {
	name := nodeName(options, index)
	s := &simulated{
		options: options, tally: tally, walks: newWalks(options.Series),
		facts: makeUpFacts(name, index), free: make(chan *agentv1.ReportRequest, 4),
	}
	s.session = controlplane.NewSession(controlplane.Options{
		URL: options.URL, Token: token, NodeName: name, StateFolder: stateFolder(options, index), Log: options.Log.With("node", name),
		Info: &agentv1.AgentInfo{
			Version: version.Software, ProtocolVersion: version.Protocol, Roles: []string{"node"},
			Hostname: name, Os: "linux", Arch: "amd64",
		},
		Dial: options.Dial, Answered: s.answered,
	})
	return s
}

// report queues one report per interval, at this agent's own offset, until ctx ends.
func (s *simulated) report(ctx context.Context) {
	due := time.Now().Add(rand.N(s.options.ReportEvery))
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case config := <-s.session.Configs():
			s.revision, s.digest = config.GetRevision(), config.GetDigest()
		case <-timer.C:
			s.tally.sent(due)
			s.session.Report(s.fill(due))
			due = due.Add(s.options.ReportEvery)
			timer.Reset(time.Until(due))
		}
	}
}

// fill writes the next points into a report, reusing one if possible.
func (s *simulated) fill(due time.Time) *agentv1.ReportRequest {
	var report *agentv1.ReportRequest
	select {
	case report = <-s.free:
	default:
		report = &agentv1.ReportRequest{At: &timestamppb.Timestamp{}, Series: newSeries(s.walks, s.options.Points)}
	}
	report.At.Seconds, report.At.Nanos = due.Unix(), int32(due.Nanosecond())
	report.ObservedRevision, report.ObservedDigest = s.revision, s.digest
	report.Facts, report.Warnings = s.facts, nil
	spacing := s.options.ReportEvery.Milliseconds() / int64(s.options.Points)
	for i, series := range report.Series {
		for point := range series.Values {
			series.AtMs[point] = due.UnixMilli() - spacing*int64(s.options.Points-1-point)
			series.Values[point] = s.walks[i].next()
		}
	}
	return report
}

func (s *simulated) answered(report *agentv1.ReportRequest) {
	if len(report.Series) == 0 {
		return // accepted only without its points, so it counts as lost
	}
	s.tally.answered(report.At.AsTime(), time.Now(), s.options.Series*s.options.Points)
	select {
	case s.free <- report:
	default: // after an outage there are more than needed
	}
}

func makeUpFacts(name string, index int) *agentv1.NodeFacts {
	return &agentv1.NodeFacts{
		Hostname: name, Os: "Debian GNU/Linux 12 (bookworm)", Kernel: "6.1.0-18-amd64", Arch: "amd64",
		CpuCount: 8, CpuModel: "Simulated CPU", MemoryBytes: 16 * gib,
		BootedAt: timestamppb.New(time.Now().Add(-time.Duration(index) * time.Hour).Truncate(time.Second)),
		Interfaces: []*agentv1.NetworkInterface{{
			Name: "eth0", Mac: fmt.Sprintf("02:00:00:00:%02x:%02x", index>>8&0xff, index&0xff), Mtu: 1500, Up: true,
			Addresses: []string{fmt.Sprintf("10.%d.%d.%d/8", index>>16&0xff, index>>8&0xff, index&0xff)}, SpeedBps: 10_000_000_000,
		}},
		KernelFeatures: []*agentv1.KernelFeature{{Name: "nftables", Available: true}, {Name: "tcx", Reason: "This host is simulated."}},
	}
}
