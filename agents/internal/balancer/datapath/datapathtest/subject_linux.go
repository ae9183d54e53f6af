package datapathtest

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/privileged"
)

// Subject is an engine under test and what it promises beyond the contract.
type Subject struct {
	Candidate  datapath.Candidate
	Deliveries []datapath.Delivery // to test; all of the candidate's when nil

	// Only are names of promises: the others aren't tested when it is set.
	Only []string

	// Scheduler is set on every service: only IPVS has any.
	Scheduler string

	// Prepare sets up a network's hosts as the engine needs them, beyond what every
	// balancer pod and backend has: see Network.
	Prepare func(t *testing.T, network *Network)

	// StateFolder is passed to the engine; a temporary folder when "". After Remove its
	// content must be as before.
	StateFolder string

	// Damages are manual changes that break the engine's state, inside the balancer's
	// namespace.
	Damages []Damage

	// Leftovers lists, inside the balancer's namespace, state of the engine that could be
	// left behind besides interfaces, addresses, routes, rules, nftables and the state
	// folder.
	Leftovers func() ([]string, error)

	FlowsOn    bool // traffic continues when the engine is closed or killed, and the next one breaks no connection
	SeesLive   bool // LiveConnections are counted
	SeesTimes  bool // SetupNanoseconds and FirstByteNanoseconds are measured
	Silent     bool // a client without a backend gets no answer; the packet is counted as a drop
	Agrees     bool // another replica places connections it has never seen correctly; only where the delivery keeps the packet
	KeepsFlows bool // a FlowKeeper
	Steers     bool // a Steerer and a Weigher
	MovesOnSYN bool // any SYN moves a connection off a backend that takes none: IP_VS does so
}

// Damage is one manual change.
type Damage struct {
	Name string
	Do   func(datapath.Options) error
}

// Run tests the contract. It is also the engine's process: the test binary starts itself
// with the name of this test, so nothing expensive or with side effects may run before
// Run in the test.
func Run(t *testing.T, subject Subject) {
	if options := os.Getenv(optionsVariable); options != "" {
		serve(t, subject, options)
		return
	}
	privileged.Need(t) // privileges in an own user namespace suffice: unshare -Urnm
	deliveries := subject.Deliveries
	if deliveries == nil {
		deliveries = subject.Candidate.Deliveries
	}
	for _, name := range subject.Only {
		if !slices.ContainsFunc(promises, func(p promise) bool { return p.name == name }) {
			t.Errorf("no promise is named %q", name)
		}
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
				if subject.Only != nil && !slices.Contains(subject.Only, promise.name) {
					continue
				}
				if promise.applies != nil && !promise.applies(&subject, delivery) {
					continue
				}
				if promise.shares {
					tr.share(t)
				} else {
					tr.unshare(t)
				}
				if !t.Run(promise.name, func(t *testing.T) { promise.keep(t, tr) }) {
					tr.unshare(t) // the next promise must not find its leftovers
				}
			}
		})
	}
}

// promise is one test of the contract; applies selects the subjects, nil means all.
type promise struct {
	name    string
	applies func(*Subject, datapath.Delivery) bool
	shares  bool // shares the engine with other promises; if not, it has the balancers to itself
	keep    func(*testing.T, *trial)
}

// Rewriting are the promises about packets, which depend on the delivery and on the kernel,
// for Subject.Only.
var Rewriting = []string{
	"preflight succeeds and leaves nothing behind",
	"traffic of both protocols and families arrives",
	"bulk is carried both ways, also with a small path MTU",
	"a fragmented datagram arrives whole, or is counted",
	"the server sees the client's address",
	"observe shows what was set and counts traffic",
	"what passes on its way to clients is counted",
	"remove leaves nothing behind",
}

var promises = []promise{
	{"preflight succeeds and leaves nothing behind", nil, false, preflightIsClean},
	{"traffic of both protocols and families arrives", nil, true, arrives},
	{"bulk is carried both ways, also with a small path MTU", nil, true, bulk},
	{"a fragmented datagram arrives whole, or is counted", nil, true, fragments},
	{"the server sees the client's address", knowsClient, true, showsClient},
	{"an equal set changes nothing", nil, true, changesOnce},
	{"observe shows what was set and counts traffic", nil, true, observes},
	{"what passes on its way to clients is counted", nil, true, countsAnswers},
	{"weights are respected", nil, true, weighs},
	{"a backend's state and health decide what it gets", nil, true, obeysStates},
	{"a SYN moves no connection, and a client that begins again leaves a backend that takes none", nil, true, challengesSYNs},
	{"a translated connection keeps its port until it ends", translates, true, keepsPorts},
	{"changes under traffic lose nothing", nil, true, changesUnderTraffic},
	{"damage by hand is repaired", nil, true, repairs},
	{"a service without a backend rejects clients", nil, true, refuses},
	{"an invalid service is one clear failure and leaves the others set", nil, true, rejectsInvalid},
	{"a backend without a route leaves everything else set", nil, true, routesLater},
	{"a service that can't be carried leaves the others set", nil, true, carriesLater},
	{"a connection goes where it is put", steers, true, putsOne},
	{"a held connection waits for its release", steers, true, holdsOne},
	{"merged datagrams of a held connection stay datagrams", steersAnywhere, true, holdsMerged},
	{"a connection that moves here is held with its data", steersAnywhere, false, holdsData},
	{"a private chooser follows its weights", steers, true, draws},
	{"a flood of first packets breaks no connection", nil, false, floods},
	{"closed or killed, the next one takes over", nil, false, isTakenOver},
	{"another replica places connections it never saw", agrees, false, replicasAgree},
	{"a replica learns where flows went", keepsFlows, false, learnsFlows},
	{"remove leaves nothing behind", nil, false, removes},
}

func knowsClient(_ *Subject, delivery datapath.Delivery) bool { return delivery != datapath.NAT }

func translates(_ *Subject, delivery datapath.Delivery) bool { return delivery == datapath.NAT }

func agrees(s *Subject, delivery datapath.Delivery) bool {
	return s.Agrees && delivery.KeepsPacket()
}

func keepsFlows(s *Subject, delivery datapath.Delivery) bool {
	return s.KeepsFlows && delivery.KeepsPacket()
}

func steers(s *Subject, _ datapath.Delivery) bool { return s.Steers }

func steersAnywhere(s *Subject, delivery datapath.Delivery) bool {
	return s.Steers && s.Agrees && delivery.KeepsPacket()
}

// replicaName is unique on the host, and short enough for an interface's name.
var replicas int

func replicaName() string {
	replicas++
	return fmt.Sprintf("flct%d-%d", os.Getpid()%100000, replicas)
}
