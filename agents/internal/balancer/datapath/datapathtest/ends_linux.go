package datapathtest

import (
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// isTakenOver ends the engine in two ways, each with traffic before and after.
func isTakenOver(t *testing.T, tr *trial) {
	for _, end := range []struct {
		name string
		end  func(*Process) error
	}{
		{"closed", (*Process).Close},
		{"killed", func(p *Process) error { p.Kill(); return nil }},
	} {
		t.Run(end.name, func(t *testing.T) {
			options := tr.options(t)
			first := tr.openIn(t, 0, options)
			set(t, first, true, tr.all()...)
			var streams []*Traffic
			if tr.subject.FlowsOn {
				for _, service := range tr.all() {
					streams = append(streams, tr.client().Start(t, service.Key, 4))
				}
			}
			more := func(times int) {
				for _, traffic := range streams {
					traffic.More(t, times)
				}
			}
			more(2)
			must(t, end.end(first))
			more(5)
			second := start(t, tr.test, tr.network.Balancers[0], options)
			must(t, second.just("preflight")) // as a process does that finds no running engine
			openBy(t, second)
			more(2)
			draining := in("b", datapath.Draining)
			put(t, second, tr.all(draining)...)
			more(5)
			for _, service := range tr.all() {
				tr.avoids(t, service, "b")
			}
			set(t, second, false, tr.all(draining)...)
			shows(t, second, tr.all(draining))
			for _, traffic := range streams {
				traffic.Stop(t)
			}
		})
	}
}

func preflightIsClean(t *testing.T, tr *trial) {
	options := tr.options(t)
	before := tr.inventory(t, options)
	p := start(t, tr.test, tr.network.Balancers[0], options)
	must(t, p.just("preflight"))
	same(t, before, tr.inventory(t, options))
}

func removes(t *testing.T, tr *trial) {
	options := tr.options(t)
	before := tr.inventory(t, options)
	p := tr.openIn(t, 0, options)
	set(t, p, true, tr.all()...)
	for _, service := range tr.all() {
		tr.request(t, service)
	}
	must(t, p.Remove(), p.Close())
	same(t, before, tr.inventory(t, options))
	if _, err := tr.client().RequestOnce(tr.service(ipv4, datapath.TCP).Key); err == nil {
		t.Error("a removed service still answers")
	}
}
