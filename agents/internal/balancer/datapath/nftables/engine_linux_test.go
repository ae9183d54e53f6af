package nftables_test

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/balancer/datapath/nftables"
)

// TestRowsAreThoseOfTheKernel: if the hash differed from the kernel's, two of three flows
// would look misplaced.
func TestRowsAreThoseOfTheKernel(t *testing.T) {
	network, engine := carry(t, 1024, datapath.UDP, datapath.TCP)
	for _, protocol := range []datapath.Protocol{datapath.UDP, datapath.TCP} {
		connect(t, network, protocol, 60)
	}
	if live := observe(t, engine).Services[0].Counts.LiveConnections; live != 60 {
		t.Fatalf("%d flows are known, there are 60", live)
	}
	flows, err := engine.(datapath.FlowKeeper).MisplacedNow(t.Context())
	if len(flows) > 0 || err != nil {
		t.Fatalf("misplaced are %v, %v", flows, err)
	}
}

func TestAFullMapKeepsCarryingAndWarns(t *testing.T) {
	network, engine := carry(t, 16, datapath.UDP, datapath.TCP)
	for _, protocol := range []datapath.Protocol{datapath.UDP, datapath.TCP} {
		for _, conn := range connect(t, network, protocol, 40) {
			if _, err := conn.Request(); err != nil {
				t.Error(err)
			}
		}
	}
	warnings := observe(t, engine).Warnings
	if len(warnings) != 1 || !strings.Contains(warnings[0], "full with 16") {
		t.Errorf("warnings are %q", warnings)
	}
}

// A peer sends all its flows at once.
func TestItLearnsMoreFlowsThanOneMessageHolds(t *testing.T) {
	const learnt = 12_000
	network, engine := carry(t, 2*learnt, datapath.TCP)
	service := network.Service(datapath.Direct, "")
	var flows []datapath.Flow
	for i := range learnt {
		client := netip.AddrPortFrom(netip.AddrFrom4([4]byte{203, 0, 113, byte(i % 250)}), uint16(1024+i))
		flows = append(flows, datapath.Flow{Service: service.Key, Client: client, Backend: service.Backends[0].ID})
	}
	if _, err := engine.(datapath.FlowKeeper).Learn(flows); err != nil {
		t.Fatal(err)
	}
	if live := observe(t, engine).Services[0].Counts.LiveConnections; live != learnt {
		t.Errorf("%d flows are known, it learnt %d", live, learnt)
	}
}

func TestFragmentsAreDroppedAndCounted(t *testing.T) {
	network, engine := carry(t, 16, datapath.UDP)
	conn, err := network.Client.Dial(t.Context(), "udp", network.Service(datapath.Direct, "").Key.Address.String()+":80")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Write(make([]byte, 4000)); err != nil {
		t.Fatal(err)
	}
	if drops := observe(t, engine).Drops["fragment"]; drops != 3 {
		t.Errorf("of 3 fragments %d were dropped", drops)
	}
}

func TestAServiceThatCantBeForwardedReportsWhy(t *testing.T) {
	network, engine := carry(t, 16, datapath.UDP)
	if err := network.Balancers[0].SetSysctl("net/ipv4/conf/all/forwarding", "0"); err != nil {
		t.Fatal(err)
	}
	err := network.Balancers[0].Do(func() error {
		_, err := datapath.Whole(engine.Set(t.Context(), []datapath.Service{network.Service(datapath.NAT, "")}))
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "192.0.2.1:80/tcp") || !strings.Contains(err.Error(), "net.ipv4.conf.all.forwarding") {
		t.Errorf("error %v", err)
	}
}

func TestASchedulerOfAnotherEngineIsRejected(t *testing.T) {
	network, engine := carry(t, 16, datapath.UDP)
	_, err := datapath.Whole(engine.Set(t.Context(), []datapath.Service{network.Service(datapath.Direct, "wrr")}))
	if err == nil || !strings.Contains(err.Error(), `"wrr"`) {
		t.Errorf("error %v", err)
	}
}

func TestPreflightReportsWhatIsMissing(t *testing.T) {
	preflight := nftables.Candidate().Preflight
	if os.Getuid() == nobody {
		fmt.Println(preflight(datapath.Options{Interface: "lo"}))
		return
	}
	if err := preflight(datapath.Options{Interface: "flnone0"}); err == nil || !strings.Contains(err.Error(), `"flnone0"`) {
		t.Errorf("without the interface: %v", err)
	}
	command := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run=^"+t.Name()+"$")
	command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	output, err := command.CombinedOutput()
	if err != nil || !strings.Contains(string(output), "CAP_NET_ADMIN") {
		t.Errorf("as nobody: %v: %s", err, output)
	}
}

// carry opens the engine in this process and carries a service of each protocol.
func carry(t *testing.T, connections int, protocols ...datapath.Protocol) (*datapathtest.Network, datapath.Engine) {
	t.Helper()
	network := datapathtest.NewNetwork(t, false)
	var engine datapath.Engine
	err := network.Balancers[0].Do(func() (err error) {
		if _, err = net.InterfaceByName(datapathtest.Interface); err != nil {
			return err
		}
		engine, err = nftables.Candidate().Open(datapath.Options{Interface: datapathtest.Interface, Name: "test", Connections: connections})
		if err != nil {
			return err
		}
		var services []datapath.Service
		for _, protocol := range []datapath.Protocol{datapath.TCP, datapath.UDP} { // in order
			for _, wanted := range protocols {
				if wanted == protocol {
					service := network.Service(datapath.Direct, "")
					service.Key.Protocol = protocol
					services = append(services, service)
				}
			}
		}
		_, err = datapath.Whole(engine.Set(t.Context(), services))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := engine.Remove(); err != nil {
			t.Error(err)
		}
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	return network, engine
}

// keep opens lasting connections, and sends one request on each.
func connect(t *testing.T, network *datapathtest.Network, protocol datapath.Protocol, connections int) (opened []*datapathtest.Conn) {
	t.Helper()
	key := network.Service(datapath.Direct, "").Key
	key.Protocol = protocol
	for range connections {
		conn, err := datapathtest.Client{Space: network.Client}.Connect(key)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(conn.Close)
		if _, err := conn.Request(); err != nil {
			t.Fatal(err)
		}
		opened = append(opened, conn)
	}
	return opened
}

func observe(t *testing.T, engine datapath.Engine) datapath.Observed {
	t.Helper()
	observed, err := engine.Observe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return observed
}
