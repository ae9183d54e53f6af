package datapathtest

import (
	"fmt"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func observes(t *testing.T, tr *trial) {
	const connections = 12
	p := tr.open(t)
	services := tr.all()
	for i := range services { // where no earlier packets can be counted late
		services[i] = elsewhere(services[i])
	}
	set(t, p, true, services...)
	shows(t, p, services)
	// Send all requests before waiting: IP_VS updates its counts every two seconds.
	got := make([]map[string]uint64, len(services))
	for i, service := range services {
		got[i] = map[string]uint64{}
		for range connections {
			conn, err := tr.client().Connect(service.Key)
			must(t, err)
			t.Cleanup(conn.Close)
			answer, err := conn.Request()
			must(t, err)
			got[i][answer.Backend]++
		}
	}
	began := time.Now()
	until(t, func() error {
		if at := shows(t, p, services).LiveAt; at.Before(began) {
			return fmt.Errorf("the live connections were counted at %v, before %v", at, began)
		}
		return nil
	})
	for i, service := range services {
		t.Run(service.Key.String(), func(t *testing.T) {
			until(t, func() error { return tr.counted(shows(t, p, services).Services[i], got[i], connections) })
		})
	}
	before := shows(t, p, services).Services[0]
	fewer := []datapath.Service{elsewhere(tr.service(ipv4, datapath.TCP, without("b")))}
	set(t, p, true, fewer...)
	after := shows(t, p, fewer).Services[0]
	if was, is := before.Counts, after.Counts; is.Packets < was.Packets || is.Bytes < was.Bytes || is.Connections < was.Connections || is.ToClients.Bytes < was.ToClients.Bytes {
		t.Errorf("a backend went, and with it what %s had counted: %+v, before %+v", after.Key, is, was)
	}
}

// counted returns what is missing in a service's counts for this many open connections
// with one request each.
func (tr *trial) counted(service datapath.ServiceCounts, got map[string]uint64, connections uint64) error {
	counts := service.Counts
	var sum datapath.Counts
	for _, backend := range service.Backends {
		sum.Packets += backend.Counts.Packets
		sum.Connections += backend.Counts.Connections
		if backend.Counts.Connections < got[backend.ID] {
			return fmt.Errorf("%s: backend %s had %d connections, counted are %d", service.Key, backend.ID, got[backend.ID], backend.Counts.Connections)
		}
		if setups, firstBytes := timed(backend.Counts.SetupNanoseconds), timed(backend.Counts.FirstByteNanoseconds); tr.subject.SeesTimes &&
			service.Key.Protocol == datapath.TCP && (setups < got[backend.ID] || firstBytes < got[backend.ID]) {
			return fmt.Errorf("%s: backend %s had %d connections: %d set-ups are timed, and %d first bytes", service.Key, backend.ID, got[backend.ID], setups, firstBytes)
		}
	}
	setups, firstBytes := timed(counts.SetupNanoseconds), timed(counts.FirstByteNanoseconds)
	switch {
	case counts.Packets < connections || counts.Bytes < 20*connections:
		return fmt.Errorf("%s: %d packets and %d bytes for %d questions", service.Key, counts.Packets, counts.Bytes, connections)
	case counts.Packets != sum.Packets || counts.Connections != sum.Connections:
		return fmt.Errorf("%s: %+v of the service differ from %+v of its backends", service.Key, counts, sum)
	case counts.Connections < connections || counts.Connections > 2*connections: // a SYN may be sent again
		return fmt.Errorf("%s: %d connections, there were %d", service.Key, counts.Connections, connections)
	case tr.subject.SeesLive && (counts.LiveConnections < connections || counts.LiveConnections > counts.Connections):
		return fmt.Errorf("%s: %d live connections of %d", service.Key, counts.LiveConnections, connections)
	case tr.subject.SeesTimes && service.Key.Protocol == datapath.TCP && setups < connections:
		return fmt.Errorf("%s: %d times of set-up for %d connections", service.Key, setups, connections)
	case tr.subject.SeesTimes && service.Key.Protocol == datapath.TCP && firstBytes < connections:
		return fmt.Errorf("%s: %d times of first bytes for %d connections", service.Key, firstBytes, connections)
	}
	return nil
}

func timed(times datapath.Histogram) (all uint64) {
	for _, count := range times {
		all += count
	}
	return all
}
