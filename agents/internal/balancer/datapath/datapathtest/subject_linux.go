package datapathtest

import (
	"fmt"
	"os"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/privileged"
)

// Subject is an engine under test and what it promises beyond the contract.
type Subject struct {
	Candidate  datapath.Candidate
	Deliveries []datapath.Delivery // to try; all of the candidate's when nil

	// Scheduler goes into every service: only IPVS has any.
	Scheduler string

	// Prepare makes a network's hosts as the engine needs them, beyond what
	// every balancer pod and backend has: see Network.
	Prepare func(t *testing.T, network *Network)

	// StateFolder is given to the engine; a temporary folder when "". It must be
	// as empty after Remove as before.
	StateFolder string

	// Damages are ways to break by hand what the engine made, inside the balancer's namespace.
	Damages []Damage

	// Leftovers lists, from inside the balancer's namespace, what of the engine's
	// could stay behind besides interfaces, addresses, routes, rules, nftables
	// and the state folder.
	Leftovers func() ([]string, error)

	FlowsOn    bool // traffic goes on when the engine was closed or killed, and the next one breaks no connection
	SeesLive   bool // LiveConnections are counted
	SeesTimes  bool // SetupNanoseconds and FirstByteNanoseconds are counted
	Silent     bool // a client without a backend to go to hears nothing; the packet is counted as a drop
	Agrees     bool // another replica finds connections it has never seen; only where the delivery keeps the packet
	KeepsFlows bool // a FlowKeeper
}

// Damage is one way to break things by hand.
type Damage struct {
	Name string
	Do   func(datapath.Options) error
}

// Run tries the contract. It also is what a process of the engine runs: the
// test binary starts itself with the name of this test, so nothing that costs
// or changes something may come before Run in the test.
func Run(t *testing.T, subject Subject) {
	if options := os.Getenv(optionsVariable); options != "" {
		serve(t, subject, options)
		return
	}
	privileged.Need(t) // of a user namespace of one's own is enough: unshare -Urnm
	deliveries := subject.Deliveries
	if deliveries == nil {
		deliveries = subject.Candidate.Deliveries
	}
	test := t.Name()
	for _, delivery := range deliveries {
		t.Run(string(delivery), func(t *testing.T) {
			network := NewNetwork(t, delivery.Wraps())
			network.Delivery = delivery
			if subject.Prepare != nil {
				subject.Prepare(t, network)
			}
			tr := &trial{subject: &subject, delivery: delivery, network: network, test: test}
			for _, promise := range promises {
				if promise.applies != nil && !promise.applies(&subject, delivery) {
					continue
				}
				if promise.shares {
					tr.share(t)
				} else {
					tr.unshare(t)
				}
				if !t.Run(promise.name, func(t *testing.T) { promise.keep(t, tr) }) {
					tr.unshare(t) // whatever it left is not the next one's to find
				}
			}
		})
	}
}

// promise is one thing that holds for every engine it applies to; nil: to all.
type promise struct {
	name    string
	applies func(*Subject, datapath.Delivery) bool
	shares  bool // an engine with others; if not, it has the balancers to itself
	keep    func(*testing.T, *trial)
}

var promises = []promise{
	{"preflight says yes and leaves nothing behind", nil, false, preflightIsClean},
	{"traffic of both protocols and families arrives", nil, true, arrives},
	{"bulk goes both ways, also where the path is narrow", nil, true, bulk},
	{"a fragmented datagram arrives whole, or is counted", nil, true, fragments},
	{"the server knows the client", knowsClient, true, tellsClient},
	{"an equal set changes nothing", nil, true, changesOnce},
	{"observe shows what was set and counts traffic", nil, true, observes},
	{"what passes on its way to clients is counted", nil, true, countsAnswers},
	{"weights are honoured", nil, true, weighs},
	{"a backend's state and health decide what it gets", nil, true, obeysStates},
	{"changes under traffic lose nothing", nil, true, changesUnderTraffic},
	{"damage by hand is repaired", nil, true, repairs},
	{"a service with nowhere to go refuses", nil, true, refuses},
	{"nonsense is one clear error and changes nothing", nil, true, rejectsNonsense},
	{"a flood of first packets breaks no connection", nil, false, floods},
	{"closed or killed, the next one takes over", nil, false, isTakenOver},
	{"another replica finds connections it never saw", agrees, false, replicasAgree},
	{"a replica learns where flows went", keepsFlows, false, learnsFlows},
	{"remove leaves nothing behind", nil, false, removes},
}

func knowsClient(_ *Subject, delivery datapath.Delivery) bool { return delivery != datapath.NAT }

func agrees(s *Subject, delivery datapath.Delivery) bool {
	return s.Agrees && delivery.KeepsPacket()
}

func keepsFlows(s *Subject, delivery datapath.Delivery) bool {
	return s.KeepsFlows && delivery.KeepsPacket()
}

// replicaName is unique on the host, and short enough for an interface's name.
var replicas int

func replicaName() string {
	replicas++
	return fmt.Sprintf("flct%d-%d", os.Getpid()%100000, replicas)
}
