package nftables

import (
	"fmt"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// countsOf returns the counts of a backend; all is false if some are missing. Only NAT
// counts replies.
func countsOf(service *datapath.Service, id string, counters map[string]counter) (counts datapath.Counts, all bool) {
	packets, all := counters[packetCounter(service.Key, id)]
	counts = datapath.Counts{
		Packets: packets.packets, Bytes: packets.bytes,
		Connections: counters[beginCounter(service.Key, id)].packets,
		ToClients:   datapath.Answers{Known: true},
	}
	if service.Delivery == datapath.NAT {
		answers, counted := counters[answerCounter(service.Key, id)]
		counts.ToClients = datapath.Answers{Bytes: answers.bytes, Known: counted}
	}
	return counts, all
}

func sumOf(a, b datapath.Counts) datapath.Counts {
	return datapath.Counts{
		Packets: a.Packets + b.Packets, Bytes: a.Bytes + b.Bytes, ToClients: a.ToClients.Add(b.ToClients),
		Connections: a.Connections + b.Connections, LiveConnections: a.LiveConnections + b.LiveConnections,
	}
}

// retire keeps the counts of removed backends, whose counters are deleted, so that their
// service's counts don't fall.
func (e *Engine) retire(next []datapath.Service) error {
	stays := make(map[datapath.Key]map[string]bool, len(next))
	for i := range next {
		ids := make(map[string]bool, len(next[i].Backends))
		for _, backend := range next[i].Backends {
			ids[backend.ID] = true
		}
		stays[next[i].Key] = ids
	}
	for key := range e.retired {
		if stays[key] == nil {
			delete(e.retired, key)
		}
	}
	var counters map[string]counter
	for i := range e.carried {
		before := &e.carried[i]
		for _, backend := range before.Backends {
			if ids := stays[before.Key]; ids == nil || ids[backend.ID] {
				continue
			}
			if counters == nil {
				var err error
				if counters, err = e.counters(); err != nil {
					return fmt.Errorf("keep counts of removed backends: %w", err)
				}
			}
			counts, _ := countsOf(before, backend.ID, counters)
			e.retired[before.Key] = sumOf(e.retired[before.Key], counts)
		}
	}
	return nil
}
