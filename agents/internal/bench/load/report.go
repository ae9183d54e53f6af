package load

import (
	"fairlead.dev/agents/internal/bench/latency"
)

// Report is what a run measured.
type Report struct {
	URL         string   `json:"url"`
	Rate        float64  `json:"rate"` // requested
	Arrivals    Arrivals `json:"arrivals"`
	Users       int      `json:"users"`
	Seconds     float64  `json:"seconds"` // measured, without the warm-up
	Interrupted bool     `json:"interrupted"`

	Void        bool     `json:"void"`
	VoidReasons []string `json:"voidReasons"`

	Due               uint64  `json:"due"`
	Sent              uint64  `json:"sent"`
	SentPerSecond     float64 `json:"sentPerSecond"`
	Answered          uint64  `json:"answered"`
	AnsweredPerSecond float64 `json:"answeredPerSecond"`
	Failed            uint64  `json:"failed"`     // sent, without a valid reply
	Unanswered        uint64  `json:"unanswered"` // of these, timed out
	Unsent            uint64  `json:"unsent"`     // no user was free until the end
	Reopened          uint64  `json:"reopened"`   // repeated on a new connection, because the server had closed the idle one

	Latency     latency.Summary `json:"latency"`     // from when a request was due to the end of its reply
	SendToReply latency.Summary `json:"sendToReply"` // what a closed-loop client reports
	Wait        latency.Summary `json:"wait"`        // for a user that the subject kept busy
	Lateness    latency.Summary `json:"lateness"`    // of sends; the generator's own delay
	Pacing      latency.Summary `json:"pacing"`      // lateness of the timer that makes requests due

	SchedulingP99 float64 `json:"schedulingP99Ms"` // of the waits of the generator's goroutines for a processor

	FullHandshake    latency.Summary   `json:"fullHandshake"`
	ResumedHandshake latency.Summary   `json:"resumedHandshake"`
	Sessions         Sessions          `json:"sessions"`
	Backends         map[string]uint64 `json:"backends"` // replies
	Failures         map[string]uint64 `json:"failures"`
	FirstFailure     string            `json:"firstFailure,omitempty"`
}

// Sessions counts connections with a first reply, also one that reports an error.
type Sessions struct {
	Connections    uint64 `json:"connections"`
	NewUsers       uint64 `json:"newUsers"`
	Returns        uint64 `json:"returns"`        // connections of users that had one before
	Offered        uint64 `json:"offered"`        // of the returns, with a session to resume
	Resumed        uint64 `json:"resumed"`        // of these, resumed by the server
	SameBackend    uint64 `json:"sameBackend"`    // of the returns, at the backend of the user's last reply
	OtherBackend   uint64 `json:"otherBackend"`   // at another one
	UnknownBackend uint64 `json:"unknownBackend"` // a reply didn't name its backend
}

// Return is a line about one return.
type Return struct {
	Seconds      float64 `json:"seconds"` // when its request was due, from the start of the run
	User         int     `json:"user"`
	Connection   int     `json:"connection"` // number of the user's connection
	Offered      bool    `json:"offered"`
	Resumed      bool    `json:"resumed"`
	Backend      string  `json:"backend"`
	Before       string  `json:"before"` // the backend of the user's last reply
	Milliseconds float64 `json:"latencyMs"`
}

func (g *generator) report(seconds float64, interrupted bool) Report {
	r := g.record
	r.lock.Lock()
	defer r.lock.Unlock()
	report := Report{
		URL: g.URL.String(), Rate: g.Rate, Arrivals: g.Arrivals, Users: g.Users, Seconds: seconds, Interrupted: interrupted,
		Due: r.due, Sent: r.sent, Answered: r.answered, Failed: r.sent - r.answered, Unanswered: r.unanswered, Unsent: r.unsent,
		Reopened: r.reopened, Latency: r.latency.Summary(), SendToReply: r.sendToReply.Summary(), Wait: r.wait.Summary(),
		Lateness: r.lateness.Summary(), Pacing: r.pacing.Summary(), SchedulingP99: float64(r.scheduling.p99()) / 1e6, FullHandshake: r.full.Summary(), ResumedHandshake: r.resumed.Summary(),
		Sessions: r.sessions, Backends: r.backends, Failures: r.failures, FirstFailure: r.firstFailure,
	}
	if seconds > 0 {
		report.SentPerSecond = float64(r.sentInTime) / seconds
		report.AnsweredPerSecond = float64(r.inTime) / seconds
	}
	report.VoidReasons = reasons(report, g.MaxLateness, r.localFaults, r.localFault)
	report.Void = len(report.VoidReasons) > 0
	return report
}
