package datapathtest

import (
	"fmt"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// countsAnswers compares what clients received with the counts of replies: 0 if replies
// bypass the balancer.
func countsAnswers(t *testing.T, tr *trial) {
	p := tr.open(t)
	services := tr.all()
	for i := range services { // where no earlier packets can be counted late
		services[i] = elsewhere(services[i])
	}
	set(t, p, true, services...)
	want := make([]map[string]span, len(services))
	for i, service := range services {
		if service.Key.Protocol == datapath.TCP {
			want[i] = tr.takes(t, service)
		} else {
			want[i] = tr.requestEach(t, service)
		}
	}
	for i, service := range services {
		t.Run(service.Key.String(), func(t *testing.T) {
			until(t, func() error { return tr.answered(shows(t, p, services).Services[i], want[i]) })
		})
	}
}

// span is the accepted range of a count: packets have headers, and some carry no data.
type span struct{ least, most uint64 }

// takes requests a different number of bytes from every backend.
func (tr *trial) takes(t *testing.T, service datapath.Service) map[string]span {
	t.Helper()
	want := map[string]span{}
	conns := tr.connectTo(t, service, "a", "b", "c")
	for backend, size := range map[string]int{"a": 1 << 18, "b": 1 << 20, "c": 3 << 20} {
		must(t, conns[backend].Download(size))
		// On a busy machine acknowledgements are late, and the server retransmits.
		went, err := conns[backend].Sent()
		must(t, err)
		want[backend] = span{uint64(size), went.bytes + went.segments*maxHeaders + otherConns}
	}
	return want
}

// requestEach sends requests until every backend has answered.
func (tr *trial) requestEach(t *testing.T, service datapath.Service) map[string]span {
	t.Helper()
	want := map[string]span{}
	for range 60 {
		conn, err := tr.client().Connect(service.Key)
		must(t, err)
		answer, received, err := conn.RequestSized()
		must(t, err)
		conn.Close()
		sum := want[answer.Backend]
		want[answer.Backend] = span{sum.least + uint64(received), sum.most + 3*uint64(received+linkAndHeaders)}
	}
	return want
}

const (
	// maxHeaders is a segment's header size: Ethernet, IPv6, and TCP with all options.
	maxHeaders = 14 + 40 + 60
	// otherConns is what the connections that were opened to reach every backend may have
	// sent.
	otherConns = 1 << 16
)

// linkAndHeaders is the header size of the largest datagram here: IPv6 on Ethernet.
const linkAndHeaders = 14 + 40 + 8

// answered returns an error if the counts of replies are wrong.
func (tr *trial) answered(service datapath.ServiceCounts, want map[string]span) error {
	var all span
	for _, backend := range service.Backends {
		of := want[backend.ID]
		if tr.delivery.KeepsPacket() {
			of = span{}
		}
		if passed := backend.Counts.ToClients; !of.holds(passed) {
			return fmt.Errorf("%s: to clients of backend %s went %+v, want %+v", service.Key, backend.ID, passed, of)
		}
		all = span{all.least + of.least, all.most + of.most}
	}
	if passed := service.Counts.ToClients; !all.holds(passed) {
		return fmt.Errorf("%s: to clients went %+v, want %+v", service.Key, passed, all)
	}
	return nil
}

func (s span) holds(passed datapath.Answers) bool {
	return passed.Known && passed.Bytes >= s.least && passed.Bytes <= s.most
}
