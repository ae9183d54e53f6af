package nftables

import (
	"encoding/binary"

	"github.com/google/nftables/expr"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/maglev"
)

// chooser generates the rules that choose a backend. A rule ends at the first failed
// lookup, and the next rule is tried; if all lookups succeed, the packet goes to the
// backend's chain and doesn't return.
type chooser struct {
	names          names
	family         *family
	flows          flowMaps
	key            datapath.Key
	settled, moved string // tables of rows, "" when empty
	open           bool   // the service accepts new flows
}

func (c *chooser) tcp() (rules [][]expr.Any) {
	key := c.flow()
	find := func(flows string) []expr.Any { return rule(key, lookup(flows, keyRegister, valueRegister)) }

	// Known flows first. A closing flow is kept for a while in a separate map, so that a
	// SYN with the same port starts a new one.
	rules = append(rules,
		rule(ends(), find(c.flows.known), learn(c.flows.closing, closingIdle), forget(c.flows.known), c.goOn()),
		// A SYN on the ports of a known flow goes to its backend, which answers with a
		// challenge (RFC 5961): anyone can forge one. A client that really begins again then
		// sends RST. A SYN doesn't prolong the flow, so that it can begin elsewhere at last.
		rule(begins(), find(c.flows.known), c.goOn()),
		rule(find(c.flows.known), learn(c.flows.known, tcpIdle), c.goOn()),
	)
	// New flows. A repeated SYN goes to the same backend, because its reply may be on the
	// way, unless that backend takes no more. If the next packet would go elsewhere than
	// a new flow, it is stored in half, otherwise in young, which matters only if the
	// tables change meanwhile: a flood of SYNs may fill young.
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
	// Then flows that this replica has seen only partly, or never.
	rules = append(rules,
		rule(find(c.flows.closing), c.goOn()),
		rule(lasts(), find(c.flows.half), learn(c.flows.known, tcpIdle), forget(c.flows.half), count(misplacedCounter), c.goOn()),
		rule(find(c.flows.half), learn(c.flows.half, halfIdle), c.goOn()),
		rule(lasts(), find(c.flows.young), learn(c.flows.known, tcpIdle), forget(c.flows.young), c.goOn()),
		rule(find(c.flows.young), c.goOn()),
	)
	if c.settled != "" {
		rules = append(rules, c.place(lasts(), c.settled, learn(c.flows.known, tcpIdle), c.goOn())...)
		rules = append(rules, rule(key, c.row(), lookup(c.settled, rowRegister, valueRegister), c.goOn())) // closing, or the map is full
	}
	return append(rules, c.refuse())
}

// place sends packets by a table of rows, and stores the flow if there is room.
func (c *chooser) place(which any, table string, remember any, send expr.Any) [][]expr.Any {
	find := rule(c.flow(), c.row(), lookup(table, rowRegister, valueRegister))
	return [][]expr.Any{rule(which, find, remember, send), rule(which, find, send)}
}

func (c *chooser) udp() (rules [][]expr.Any) {
	key := c.flow()
	// A known flow whose backend doesn't keep it, for example learnt from a peer, is
	// placed again.
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

// errors sends an ICMP error, such as packet too big, to the backend of its flow.
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

// row hashes the client's address and port, which are at the start of the key.
func (c *chooser) row() expr.Any {
	return &expr.Hash{SourceRegister: keyRegister, DestRegister: rowRegister, Length: c.family.bytes + 4, Modulus: maglev.Rows, Seed: seed(c.key), Type: expr.HashTypeJenkins}
}

func (c *chooser) goOn() expr.Any    { return goTo(c.names.known(), valueRegister) }
func (c *chooser) goFirst() expr.Any { return goTo(c.names.begin(), valueRegister) }

// refuse passes the packet to this host, which has the address but no listener, so the
// client is rejected at once.
func (c *chooser) refuse() []expr.Any {
	return rule(count(refusedCounter(c.key)), verdict(expr.VerdictAccept, ""))
}
