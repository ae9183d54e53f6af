package agent

import (
	"net/http"
	"sync/atomic"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// Overheard is a link whose newest report anybody may read.
type Overheard struct {
	Link
	newest atomic.Pointer[agentv1.ReportRequest]
}

// Report keeps a copy: the link owns what it is given.
func (o *Overheard) Report(report *agentv1.ReportRequest) {
	o.newest.Store(proto.CloneOf(report))
	o.Link.Report(report)
}

// Newest is what was reported last; nil when nothing was.
func (o *Overheard) Newest() *agentv1.ReportRequest { return o.newest.Load() }

// ServeHTTP shows the newest report.
func (o *Overheard) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
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
