package balancertest

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/privileged"
)

// family is a service, and clients in two networks.
type family struct {
	name, service string
	clients       [2]netip.Addr
	networks      [2]string
	router        netip.Addr // address of the clients' host, for replies
	backend       func(*datapathtest.Host) netip.Addr
}

var families = []family{
	{
		name: "IPv4", service: "192.0.2.1", router: netip.MustParseAddr("10.76.0.2"),
		clients:  [2]netip.Addr{netip.MustParseAddr("203.0.113.77"), netip.MustParseAddr("198.51.100.77")},
		networks: [2]string{"203.0.113.0/24", "198.51.100.0/24"},
		backend:  func(host *datapathtest.Host) netip.Addr { return host.IPv4 },
	},
	{
		name: "IPv6", service: "2001:db8::1", router: netip.MustParseAddr("fd76::2"),
		clients:  [2]netip.Addr{netip.MustParseAddr("2001:db8:1:2::77"), netip.MustParseAddr("2001:db8:2:3::77")},
		networks: [2]string{"2001:db8:1::/48", "2001:db8:2::/48"},
		backend:  func(host *datapathtest.Host) netip.Addr { return host.IPv6 },
	},
}

// sampledFor is the span of the sample that is checked.
const sampledFor = 5 // seconds

// SamplesClients requires that an agent reports the shares of two client networks, of which
// one sends three times as many packets as the other. Prepare and the test binary are used as
// in [Follows].
func SamplesClients(t *testing.T, candidate datapath.Candidate, prepare func(*testing.T, *datapathtest.Network)) {
	for i, status := range sampleClients(t, candidate, prepare) {
		sample, family := status.GetClients(), families[i]
		networks := sample.GetNetworks()
		// There may be a third, of the requests before the flood.
		if len(networks) < 2 || networks[0].GetPrefix() != family.networks[0] || networks[1].GetPrefix() != family.networks[1] {
			t.Errorf("%s: got %v", family.name, sample)
			continue
		}
		large, small := networks[0].GetThroughputBps(), networks[1].GetThroughputBps()
		packets := float64(sample.GetSeconds()) * (networks[0].GetPacketsPerSecond() + networks[1].GetPacketsPerSecond())
		// Each of K packets is the large network's with probability p, and one in N is sampled:
		// the variance of its estimated share is p·(1−p)·N/K. N may have been twice as high
		// before.
		const p = 0.75
		off := 5 * math.Sqrt(p*(1-p)*2*float64(sample.GetOneIn())/packets)
		if share := large / (large + small); math.Abs(share-p) > off {
			t.Errorf("%s: the large network has a share of %.3f, want %.3f ±%.3f: %v", family.name, share, p, off, sample)
		} else {
			t.Logf("%s: a share of %.3f, want %.3f ±%.3f; %.0f packets, one in %d", family.name, share, p, off, packets, sample.GetOneIn())
		}
	}
}

// HidesClients requires that an agent sees none of the packets that the engine carries.
func HidesClients(t *testing.T, candidate datapath.Candidate, prepare func(*testing.T, *datapathtest.Network)) {
	candidate.BeforeTaps = false // so that the agent tries
	for i, status := range sampleClients(t, candidate, prepare) {
		if sample := status.GetClients(); len(sample.GetNetworks()) > 0 || sample.GetProblem() != "" {
			t.Errorf("%s: got %v", families[i].name, sample)
		}
	}
}

// sampleClients returns the status of each family's service while clients send; none in the
// agent's process.
func sampleClients(t *testing.T, candidate datapath.Candidate, prepare func(*testing.T, *datapathtest.Network)) []*agentv1.BalancerServiceStatus {
	t.Helper()
	if folder := os.Getenv(folderVariable); folder != "" {
		runAsAgent(t, candidate, folder)
		return nil
	}
	privileged.Need(t)
	network := datapathtest.NewNetwork(t, false)
	prepare(t, network)
	role := &agentv1.BalancerRole{Engine: candidate.Name}
	for _, family := range families {
		role.Services = append(role.Services, family.join(t, network))
	}
	printed := start(t, network.Balancers[0], role)
	for _, service := range role.Services {
		key := datapath.Key{Address: netip.MustParseAddr(service.GetAddress()), Port: uint16(service.GetPort()), Protocol: datapath.UDP}
		untilAnsweredBy(t, network.Client, key, "b")
	}
	stop := make(chan struct{})
	var senders sync.WaitGroup
	defer senders.Wait()
	defer close(stop)
	for _, family := range families {
		conns := family.connect(t, network)
		senders.Go(func() { sendUntil(stop, conns) })
	}
	return untilSampled(t, printed)
}

// join adds a family's clients to the network, and returns its service.
func (f family) join(t *testing.T, network *datapathtest.Network) *agentv1.BalancerService {
	t.Helper()
	service := &agentv1.BalancerService{
		LoadBalancerId: "lb_" + f.name, Address: f.service, Port: uint32(datapathtest.ServicePorts[0]), Protocol: "udp", SampleClients: true,
	}
	for _, client := range f.clients {
		prefix := netip.PrefixFrom(client, client.BitLen())
		if err := network.Client.AddAddress(datapathtest.Interface, prefix); err != nil {
			t.Fatal(err)
		}
		if err := network.Router.AddRoute(prefix, f.router); err != nil {
			t.Fatal(err)
		}
	}
	for _, host := range network.Backends {
		service.Backends = append(service.Backends, &agentv1.BalancerBackend{
			Id: host.Name, Address: f.backend(host).String(), Port: service.GetPort(), Weight: 1, State: "active",
		})
	}
	return service
}

// connect returns a socket of each client.
func (f family) connect(t *testing.T, network *datapathtest.Network) (conns [2]net.Conn) {
	t.Helper()
	for i, client := range f.clients {
		err := network.Client.Do(func() (err error) {
			dialer := net.Dialer{LocalAddr: net.UDPAddrFromAddrPort(netip.AddrPortFrom(client, 0))}
			conns[i], err = dialer.DialContext(t.Context(), "udp", net.JoinHostPort(f.service, fmt.Sprint(datapathtest.ServicePorts[0])))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conns[i].Close() })
	}
	return conns
}

// sendUntil sends as fast as it can, three of four packets from the first client, at random:
// a queue that overflows loses packets of both alike.
func sendUntil(stop <-chan struct{}, conns [2]net.Conn) {
	payload := make([]byte, 300)
	for {
		select {
		case <-stop:
			return
		default:
		}
		from := conns[0]
		if rand.IntN(4) == 0 {
			from = conns[1]
		}
		_, _ = from.Write(payload)
	}
}

// untilSampled reads the agent's reports until their samples are long enough.
func untilSampled(t *testing.T, printed *os.File) []*agentv1.BalancerServiceStatus {
	t.Helper()
	if err := printed.SetReadDeadline(time.Now().Add(2 * patience)); err != nil {
		t.Fatal(err)
	}
	const longest = 1 << 20
	lines := bufio.NewScanner(printed)
	lines.Buffer(nil, longest)
	var last string
	for lines.Scan() {
		last = lines.Text()
		report := &agentv1.ReportRequest{}
		if protojson.Unmarshal([]byte(last), report) != nil {
			continue
		}
		services := report.GetBalancer().GetServices()
		if len(services) == len(families) && services[0].GetClients().GetSeconds() >= sampledFor {
			return services
		}
	}
	t.Fatalf("no sample of %d s (%v); the last report is %s", sampledFor, lines.Err(), last)
	return nil
}
