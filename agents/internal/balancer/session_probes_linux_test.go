package balancer

import (
	"context"
	"crypto/tls"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/balancer/delivery"
	"fairlead.dev/agents/internal/health"
	"fairlead.dev/agents/internal/session/replica"
	"fairlead.dev/agents/internal/speaker/inward"
)

// Nothing but the probes of the speaker and of the delivery sends packets to the service.
func TestProbesAreNotCountedAsClientsOfSessions(t *testing.T) {
	for family, address := range labAddresses {
		t.Run(address.String(), func(t *testing.T) {
			l := newSessionLab(t, family)
			l.start(t)
			l.learned(t, 3)
			_ = l.act(func() error {
				through, err := inward.Open(datapathtest.Interface)
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = through.Close() }()
				paths := delivery.New(datapathtest.Interface, nil)
				defer func() { _ = paths.Close() }()
				target := health.Target{Address: l.key.Address, Port: labPort, Check: health.Check{Kind: health.TCP}}
				for range 20 {
					l.probes(t, through.Probe, target)
					for _, host := range l.network.Backends {
						l.probes(t, paths.Probe, health.Target{
							Address: l.addressOf(host), Port: labPort, Check: target.Check,
							Path: health.Path{Service: l.key, Delivery: datapath.Direct},
						})
					}
				}
				if warning := paths.Warning(); warning != "" {
					t.Error(warning)
				}
				return nil
			})
			l.observe(t)
			if counts := l.driver.figures.sessions[l.key]; counts != (replica.ServiceCounts{}) {
				t.Errorf("counted %+v", counts)
			}
			l.returns(t, tls.VersionTLS13, 1, 1)
			l.observe(t)
			if counts := l.driver.figures.sessions[l.key]; counts.SYNs == 0 {
				t.Error("clients aren't counted, so nothing was tested")
			}
		})
	}
}

func (l *sessionLab) probes(t *testing.T, probe func(context.Context, health.Target) error, target health.Target) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), labPatience)
	defer cancel()
	if err := probe(ctx, target); err != nil {
		t.Fatal(err)
	}
}
