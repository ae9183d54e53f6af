package nftables_test

import (
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
)

// Each replica has its own health checks, so a peer may send a flow of datagrams to a
// backend that is down only here.
func TestDatagramsThatAPeerPlacedLeaveABackendThatIsDown(t *testing.T) {
	network, engine := carry(t, 1024, datapath.UDP)
	service := network.Service(datapath.Direct, "")
	service.Key.Protocol = datapath.UDP
	service.Backends[1].Up = false
	if err := network.Balancers[0].Do(func() error {
		_, err := datapath.Whole(engine.Set(t.Context(), []datapath.Service{service}))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	const flows = 20
	for range flows {
		conn, err := datapathtest.Client{Space: network.Client}.Connect(service.Key)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(conn.Close)
		learnt := datapath.Flow{Service: service.Key, Client: conn.Local(), Backend: service.Backends[1].ID}
		if _, err := engine.(datapath.FlowKeeper).Learn([]datapath.Flow{learnt}); err != nil {
			t.Fatal(err)
		}
		first, err := conn.Request()
		if err != nil || first.Backend == learnt.Backend {
			t.Fatalf("%q answers (%v)", first.Backend, err)
		}
		if again, err := conn.Request(); err != nil || again.Backend != first.Backend {
			t.Errorf("%q answers (%v), before it was %q", again.Backend, err, first.Backend)
		}
	}
	if counts := observe(t, engine).Services[0].Counts; counts.Connections != flows || counts.LiveConnections != flows {
		t.Errorf("%d flows began and %d live, there are %d", counts.Connections, counts.LiveConnections, flows)
	}
}
