// Package inwardtest measures what an engine counts of a speaker's probes, as if they came from clients. The dashboard states how
// much of its charts are probes, and calculates with these figures. The product doesn't use it.
package inwardtest

import (
	"context"
	_ "embed"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/health"
	"fairlead.dev/agents/internal/privileged"
	"fairlead.dev/agents/internal/speaker/inward"
)

//go:embed counted.json
var known []byte

// counted is what an engine counts of one probe.
type counted struct {
	Packets     uint64 `json:"packets"`
	Connections uint64 `json:"connections"`
}

var names = map[datapath.Protocol]string{datapath.TCP: "tcp", datapath.UDP: "udp"}

// Check compares what an engine counts of a probe with counted.json, for each delivery. It opens the engine in a process that is
// this test again, so nothing expensive may run before it in the test.
func Check(t *testing.T, candidate datapath.Candidate, prepare func(*testing.T, *datapathtest.Network)) {
	privileged.Need(t)
	var all map[string]map[string]counted
	must(t, json.Unmarshal(known, &all))
	for _, delivery := range candidate.Deliveries {
		if delivery == datapath.Tunnel || delivery == datapath.GUE {
			continue // counted like direct, but these backends don't decapsulate
		}
		t.Run(string(delivery), func(t *testing.T) {
			datapathtest.Serve(t, candidate)
			network := datapathtest.NewNetwork(t, false)
			network.Delivery = delivery
			if prepare != nil {
				prepare(t, network)
			}
			if got := countsOfOneProbe(t, candidate, network); !reflect.DeepEqual(got, all[candidate.Name]) {
				t.Errorf("counted %+v of a probe; counted.json has %+v", got, all[candidate.Name])
			}
		})
	}
}

// countsOfOneProbe probes a service of each protocol once.
func countsOfOneProbe(t *testing.T, candidate datapath.Candidate, network *datapathtest.Network) map[string]counted {
	t.Helper()
	replica := network.Balancers[0]
	if network.Delivery == datapath.NAT || candidate.Name == "ipvs" { // the kernel's stack forwards
		must(t, replica.SetSysctl("net/ipv4/conf/"+datapathtest.Interface+"/accept_local", "1"))
	}
	engine := datapathtest.Open(t, replica, datapath.Options{Interface: datapathtest.Interface, Name: "probed"})
	overTCP := network.Service(network.Delivery, "")
	overUDP := overTCP
	overUDP.Key.Protocol = datapath.UDP
	_, err := engine.Set(overTCP, overUDP)
	must(t, err)
	must(t, replica.Do(func() error { return probe(t, network.Delivery, overTCP.Key, overUDP.Key) }))
	counts := map[string]counted{}
	for end := time.Now().Add(10 * time.Second); ; {
		observed, err := engine.Observe()
		must(t, err)
		complete := true
		for _, service := range observed.Services {
			one := counted{service.Counts.Packets, service.Counts.Connections}
			counts[names[service.Key.Protocol]] = one
			complete = complete && one != counted{}
		}
		if complete {
			return counts
		}
		if time.Now().After(end) {
			t.Fatalf("not every probe was counted: %+v", counts)
		}
	}
}

// probe probes each service once, as a speaker does.
func probe(t *testing.T, delivery datapath.Delivery, keys ...datapath.Key) error {
	soon, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	send := health.Prober{}.Probe // a process answers, so the speaker connects to it
	if delivery != datapath.Proxy {
		prober, err := inward.Open(datapathtest.Interface)
		if err != nil {
			return err
		}
		defer prober.Close()
		send = prober.Probe
	}
	for _, key := range keys {
		if err := send(soon, Target(key)); err != nil {
			return err
		}
	}
	return nil
}

// Target is how a speaker probes a service of the test network.
func Target(key datapath.Key) health.Target {
	target := health.Target{Address: key.Address, Port: key.Port, Check: health.Check{Kind: health.TCP}}
	if key.Protocol == datapath.UDP {
		target.Check = health.Check{Kind: health.UDP, Send: "who"}
	}
	return target
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
