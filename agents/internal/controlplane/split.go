package controlplane

import (
	"google.golang.org/protobuf/proto"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// reportLimits are the control plane's limits of one report.
type reportLimits struct{ series, points int }

var protocolLimits = reportLimits{
	series: int(agentv1.Limit_LIMIT_REPORT_SERIES), points: int(agentv1.Limit_LIMIT_REPORT_POINTS),
}

// split divides a report that exceeds the control plane's limits. Each part contains the current
// state; events and rarely changing facts are only in the first.
func split(report *agentv1.ReportRequest, limits reportLimits) []*agentv1.ReportRequest {
	if fits(report.GetSeries(), limits) {
		return []*agentv1.ReportRequest{report}
	}
	var parts []*agentv1.ReportRequest
	for _, series := range share(report.GetSeries(), limits) {
		part := withoutSeries(report)
		part.Series = series
		if len(parts) > 0 {
			part.Facts, part.Inventory, part.Events = nil, nil, nil
		}
		parts = append(parts, part)
	}
	return parts
}

func fits(series []*agentv1.SeriesPoints, limits reportLimits) bool {
	points := 0
	for _, each := range series {
		points += len(each.GetAtMs())
	}
	return len(series) <= limits.series && points <= limits.points
}

// share fills the parts in order, and splits a series where a part is full.
func share(all []*agentv1.SeriesPoints, limits reportLimits) [][]*agentv1.SeriesPoints {
	var parts [][]*agentv1.SeriesPoints
	var part []*agentv1.SeriesPoints
	room := limits.points
	for _, series := range all {
		for from := 0; from < len(series.GetAtMs()); {
			if len(part) == limits.series || room == 0 {
				parts, part, room = append(parts, part), nil, limits.points
			}
			to := min(len(series.AtMs), from+room)
			part = append(part, &agentv1.SeriesPoints{
				Metric: series.Metric, Labels: series.Labels, AtMs: series.AtMs[from:to], Values: series.Values[from:to],
			})
			room -= to - from
			from = to
		}
	}
	return append(parts, part)
}

// withoutSeries copies everything except the points, which are the largest part.
func withoutSeries(report *agentv1.ReportRequest) *agentv1.ReportRequest {
	series := report.Series
	report.Series = nil
	light := proto.CloneOf(report)
	report.Series = series
	return light
}
