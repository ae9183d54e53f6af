package inward_test

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/balancer/datapath/nftables"
	"fairlead.dev/agents/internal/balancer/datapath/tcx"
	"fairlead.dev/agents/internal/balancer/datapath/userspace"
	"fairlead.dev/agents/internal/balancer/datapath/xdp"
	"fairlead.dev/agents/internal/balancer/health"
	"fairlead.dev/agents/internal/privileged"
	"fairlead.dev/agents/internal/speaker/inward"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// counted is what an engine counts of one probe, as if it came from a client.
type counted struct {
	Packets     uint64 `json:"packets"`
	Connections uint64 `json:"connections"`
}

// The dashboard states how much of the charts are probes. It calculates with these figures.
func TestWhatEnginesCountOfAProbe(t *testing.T) {
	privileged.Need(t)
	got := map[string]map[string]counted{}
	for _, candidate := range []datapath.Candidate{tcx.Candidate, xdp.Candidate, nftables.Candidate(), userspace.Candidate()} {
		for _, delivery := range candidate.Deliveries {
			if delivery == datapath.Tunnel || delivery == datapath.GUE {
				continue // counted like direct, but these backends don't decapsulate
			}
			for protocol, one := range countsOfOneProbe(t, candidate, delivery) {
				if got[candidate.Name] == nil {
					got[candidate.Name] = map[string]counted{}
				}
				if earlier, is := got[candidate.Name][protocol]; is && earlier != one {
					t.Errorf("%s counts %+v of a probe by %s, and %+v otherwise", candidate.Name, one, delivery, earlier)
				}
				got[candidate.Name][protocol] = one
			}
		}
	}
	text, err := json.MarshalIndent(got, "", "  ")
	must(t, err)
	const file = "testdata/counted.json"
	if *update {
		must(t, os.WriteFile(file, append(text, '\n'), 0o644))
	}
	want, err := os.ReadFile(file)
	must(t, err)
	if string(want) != string(text)+"\n" {
		t.Errorf("%s differs from what was counted; run with -update:\n%s", file, text)
	}
}

// countsOfOneProbe probes a service of each protocol once.
func countsOfOneProbe(t *testing.T, candidate datapath.Candidate, delivery datapath.Delivery) map[string]counted {
	t.Helper()
	network := datapathtest.NewNetwork(t, false)
	if candidate.Name == xdp.Candidate.Name {
		prepare(t, network)
	}
	replica := network.Balancers[0]
	if delivery == datapath.NAT {
		must(t, replica.SetSysctl("net/ipv4/conf/"+datapathtest.Interface+"/accept_local", "1"))
	}
	counts := map[string]counted{}
	must(t, replica.Do(func() error {
		engine, err := candidate.Open(datapath.Options{Interface: datapathtest.Interface, Name: "probed"})
		if err != nil {
			return err
		}
		defer func() {
			must(t, engine.Remove())
			must(t, engine.Close())
		}()
		prober, err := inward.Open(datapathtest.Interface)
		if err != nil {
			return err
		}
		defer prober.Close()
		probe := prober.Probe
		services := services(network, delivery)[:2] // IPv4
		if delivery == datapath.Proxy {
			// A process answers, so the speaker connects to it. This network has no UDP for it.
			probe, services = health.Prober{}.Probe, services[:1]
		}
		if _, err := datapath.Whole(engine.Set(t.Context(), services)); err != nil {
			return err
		}
		soon, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		for _, service := range services {
			if err := probe(soon, targetOf(service.Key)); err != nil {
				return err
			}
		}
		for {
			observed, err := engine.Observe(soon)
			if err != nil {
				return err
			}
			complete := true
			for _, service := range observed.Services {
				one := counted{service.Counts.Packets, service.Counts.Connections}
				counts[map[datapath.Protocol]string{datapath.TCP: "tcp", datapath.UDP: "udp"}[service.Key.Protocol]] = one
				complete = complete && one != counted{}
			}
			if complete || soon.Err() != nil {
				return soon.Err()
			}
		}
	}))
	return counts
}
