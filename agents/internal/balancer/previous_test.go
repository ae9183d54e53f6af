package balancer

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// restarted returns a driver of a next process with one engine, which rejects a scheduler.
func restarted(t *testing.T, folder, rejects string) *bench {
	t.Helper()
	b := newBench(t, folder, "ipvs")
	open := b.options.Candidates[0].Open
	b.options.Candidates[0].Open = func(options datapath.Options) (datapath.Engine, error) {
		engine, err := open(options)
		b.engines["ipvs"].rejects = rejects
		return engine, err
	}
	return b
}

func TestAServiceThatIsCarriedAsBeforeStaysAfterARestart(t *testing.T) {
	for _, test := range []struct{ name, scheduler, rejects string }{
		{"the engine doesn't support its new spec", "lc", ""},
		{"the engine can't set its new spec", "wrr", "wrr"},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder := t.TempDir()
			next := another(func(s *agentv1.BalancerService) { s.Scheduler = test.scheduler })
			asBefore := func(b *bench) {
				t.Helper()
				services := b.engines["ipvs"].services
				if len(services) != 2 || services[1].Scheduler != "" {
					t.Fatalf("carried are %+v", services)
				}
				if len(b.running.failures) != 1 || !b.running.failures[0].Previous {
					t.Fatalf("failures are %+v", b.running.failures)
				}
			}
			b := restarted(t, folder, test.rejects)
			mustSet(t, b, config(1, another()))
			mustSet(t, b, config(2, next))
			asBefore(b)
			for range 2 {
				if err := b.Close(); err != nil {
					t.Fatal(err)
				}
				b = restarted(t, folder, test.rejects)
				mustSet(t, b, config(2, next))
				asBefore(b)
				mustSet(t, b, config(2, next))
				asBefore(b)
			}
			mustSet(t, b, config(3, another()))
			if _, err := os.Stat(filepath.Join(folder, previousFile)); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("every service is set, and the former specs are still stored: %v", err)
			}
			if err := b.Close(); err != nil {
				t.Fatal(err)
			}
			b = restarted(t, folder, test.rejects)
			defer b.Close()
			mustSet(t, b, config(2, next))
			if services := b.engines["ipvs"].services; len(services) != 1 || b.running.failures[0].Previous {
				t.Errorf("carried are %+v, although it was not stored how", services)
			}
		})
	}
}

func TestADamagedFileOfFormerSpecsStopsNoTraffic(t *testing.T) {
	folder := t.TempDir()
	b := restarted(t, folder, "")
	mustSet(t, b, config(1))
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	b = restarted(t, folder, "")
	defer b.Close()
	if err := os.WriteFile(filepath.Join(folder, previousFile), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	mustSet(t, b, config(1))
	if got := reasons(b); len(b.engines["ipvs"].services) != 1 || len(got) != 2 || got[0] != EngineFailed {
		t.Errorf("events %q", got)
	}
}
