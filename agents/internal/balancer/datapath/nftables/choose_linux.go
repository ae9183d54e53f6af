package nftables

import (
	"encoding/binary"

	"github.com/google/nftables/expr"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/maglev"
)

// chooser writes the rules that choose a backend. A rule ends where something
// isn't in a map, and the next one is tried; where everything is, it goes to the
// backend's chain and never comes back.
type chooser struct {
	names          names
	family         *family
	flows          flowMaps
	key            datapath.Key
	settled, moved string // tables of rows, "" when empty
	open           bool   // for new flows
}

func (c *chooser) tcp() (rules [][]expr.Any) {
	key := c.flow()
	find := func(flows string) []expr.Any { return rule(key, lookup(flows, keyRegister, valueRegister)) }

	// Known flows first. One that ends is remembered a while longer, apart, so
	// that a SYN with the same port is a new one.
	rules = append(rules,
		rule(ends(), find(c.flows.known), learn(c.flows.closing, closingIdle), forget(c.flows.known), c.goOn()),
		rule(find(c.flows.known), learn(c.flows.known, tcpIdle), c.goOn()),
	)
	// New ones. A SYN that comes again goes where it went, for the answer may be on
	// its way, unless that backend takes no more. Where the next packet would go
	// elsewhere than a new flow, it is remembered in half, else in young, which
	// matters only if the tables change in between: a flood of SYNs may fill that.
	for _, flows := range []string{c.flows.half, c.flows.young} {
		rules = append(rules, rule(begins(), find(flows), c.goFirst()), rule(begins(), find(flows), forget(flows)))
	}
	rules = append(rules, rule(begins(), find(c.flows.closing), forget(c.flows.closing)))
	if c.moved != "" {
		rules = append(rules, c.place(begins(), c.moved, learn(c.flows.half, halfIdle), c.goFirst())...)
	}
	if c.settled != "" && c.open {
		rules = append(rules, c.place(begins(), c.settled, learn(c.flows.young, youngIdle), c.goFirst())...)
	}
	rules = append(rules, rule(begins(), c.refuse()))
	// Then flows that this replica has only half seen, or never.
	rules = append(rules,
		rule(find(c.flows.closing), c.goOn()),
		rule(lasts(), find(c.flows.half), learn(c.flows.known, tcpIdle), forget(c.flows.half), count(misplacedCounter), c.goOn()),
		rule(find(c.flows.half), learn(c.flows.half, halfIdle), c.goOn()),
		rule(lasts(), find(c.flows.young), learn(c.flows.known, tcpIdle), forget(c.flows.young), c.goOn()),
		rule(find(c.flows.young), c.goOn()),
	)
	if c.settled != "" {
		rules = append(rules, c.place(lasts(), c.settled, learn(c.flows.known, tcpIdle), c.goOn())...)
		rules = append(rules, rule(key, c.row(), lookup(c.settled, rowRegister, valueRegister), c.goOn())) // ends, or the map is full
	}
	return append(rules, c.refuse())
}

// place sends packets where a table of rows says, and remembers that if there is room.
func (c *chooser) place(which any, table string, remember any, send expr.Any) [][]expr.Any {
	find := rule(c.flow(), c.row(), lookup(table, rowRegister, valueRegister))
	return [][]expr.Any{rule(which, find, remember, send), rule(which, find, send)}
}

func (c *chooser) udp() (rules [][]expr.Any) {
	key := c.flow()
	// One that is known at a backend that doesn't keep it, as when a peer told of it, begins anew.
	find := rule(key, lookup(c.flows.known, keyRegister, valueRegister))
	rules = append(rules, rule(find, learn(c.flows.known, udpIdle), c.goOn()), rule(find, forget(c.flows.known)))
	if c.moved != "" {
		rules = append(rules, c.place(nil, c.moved, rule(learn(c.flows.known, udpIdle), count(misplacedCounter)), c.goFirst())...)
	}
	if c.settled != "" && c.open {
		rules = append(rules, c.place(nil, c.settled, learn(c.flows.known, udpIdle), c.goFirst())...)
	}
	return append(rules, c.refuse())
}

// errors sends an ICMP error, as of a packet that was too big, where the
// packets of its flow go.
func (c *chooser) errors() (rules [][]expr.Any) {
	f := c.family
	port := keyRegister + f.words()
	key := rule(transport(8+f.innerDst, f.bytes, keyRegister), transport(8+f.header+2, 2, port), immediate(port+1, c.number()))
	for _, flows := range c.flows.all() {
		rules = append(rules, rule(key, lookup(flows, keyRegister, valueRegister), c.goOn()))
	}
	if c.settled != "" {
		rules = append(rules, rule(key, c.row(), lookup(c.settled, rowRegister, valueRegister), c.goOn()))
	}
	return append(rules, c.refuse())
}

// flow loads the key of the packet's flow.
func (c *chooser) flow() []expr.Any {
	port := keyRegister + c.family.words()
	return rule(network(c.family.source, c.family.bytes, keyRegister), transport(0, 2, port), immediate(port+1, c.number()))
}

func (c *chooser) number() []byte {
	return binary.BigEndian.AppendUint64(nil, serviceNumber(c.key))
}

// row hashes the client's address and port, which are in front of the key.
func (c *chooser) row() expr.Any {
	return &expr.Hash{SourceRegister: keyRegister, DestRegister: rowRegister, Length: c.family.bytes + 4, Modulus: maglev.Rows, Seed: seed(c.key), Type: expr.HashTypeJenkins}
}

func (c *chooser) goOn() expr.Any    { return goTo(c.names.known(), valueRegister) }
func (c *chooser) goFirst() expr.Any { return goTo(c.names.begin(), valueRegister) }

// refuse leaves the packet to this host, whose address it has: nobody listens
// there, so the client is told at once.
func (c *chooser) refuse() []expr.Any {
	return rule(count(refusedCounter(c.key)), verdict(expr.VerdictAccept, ""))
}
