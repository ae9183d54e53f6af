package fleet

import (
	"math"
	"time"
)

// Figures is one line of output. Everything is counted since the warm-up; latencies are from when a
// report was due to its acknowledgement.
type Figures struct {
	Summary         bool    `json:"summary"` // the last line of a run
	At              string  `json:"at"`
	Agents          int     `json:"agents"`
	MeasuredSeconds float64 `json:"measuredSeconds"`
	ReportsSent     int64   `json:"reportsSent"`
	ReportsAcked    int64   `json:"reportsAcked"`
	ReportsLate     int64   `json:"reportsLate"` // answered more than 5 s after they were due
	ReportsLost     int64   `json:"reportsLost"` // of a summary: never answered
	ReportsWaiting  int64   `json:"reportsWaiting"`
	PointsAcked     int64   `json:"pointsAcked"`
	PointsPerSecond float64 `json:"pointsPerSecond"`
	AckMsP50        float64 `json:"ackMsP50"`
	AckMsP90        float64 `json:"ackMsP90"`
	AckMsP99        float64 `json:"ackMsP99"`
	AckMsMax        float64 `json:"ackMsMax"`
}

// figures reads the tally. until is when the last counted report was due.
func (t *tally) figures(agents int, until time.Time) Figures {
	sent, acked, points := t.due.Load(), t.acked.Load(), t.points.Load()
	took := t.acknowledged()
	seconds := max(0, until.Sub(t.from).Seconds())
	figures := Figures{
		At: time.Now().UTC().Format(time.RFC3339), Agents: agents, MeasuredSeconds: math.Round(seconds*10) / 10,
		ReportsSent: sent, ReportsAcked: acked, ReportsLate: t.late.Load(), ReportsWaiting: sent - acked,
		PointsAcked: points,
		AckMsP50:    took.P50, AckMsP90: took.P90, AckMsP99: took.P99, AckMsMax: took.Max,
	}
	if seconds > 0 {
		figures.PointsPerSecond = math.Round(float64(points) / seconds)
	}
	return figures
}

// summary also counts lost reports.
func (t *tally) summary(agents int, until time.Time) Figures {
	figures := t.figures(agents, until)
	figures.Summary, figures.ReportsLost, figures.ReportsWaiting = true, figures.ReportsWaiting, 0
	return figures
}
