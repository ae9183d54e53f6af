package agent

import (
	"net/http"
	"sync/atomic"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// ObservedLink is a link whose newest report can be read.
type ObservedLink struct {
	Link
	newest atomic.Pointer[agentv1.ReportRequest]
}

// Report keeps a copy, because the link owns its argument.
func (o *ObservedLink) Report(report *agentv1.ReportRequest) {
	o.newest.Store(proto.CloneOf(report))
	o.Link.Report(report)
}

// Newest is the last report; nil if there is none.
func (o *ObservedLink) Newest() *agentv1.ReportRequest { return o.newest.Load() }

// ServeHTTP serves the newest report.
func (o *ObservedLink) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	report := o.newest.Load()
	if report == nil {
		http.Error(w, "Nothing was reported yet.", http.StatusServiceUnavailable)
		return
	}
	data, err := protojson.Marshal(report)
	if err != nil {
		http.Error(w, "The report can't be shown: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(data)
}
