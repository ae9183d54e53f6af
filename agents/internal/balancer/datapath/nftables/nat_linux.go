package nftables

import (
	"github.com/google/nftables/expr"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/maglev"
)

// natBase returns the NAT table's objects besides services: a chain that chooses the
// destination of new connections, one that sets the source address, and one between them
// that counts packets of clients and replies by the connection's mark.
func (e *Engine) natBase(t table, _ string) ([]item, error) {
	var items []item
	for _, s := range []set{
		{name: e.natMap("marks"), keyBytes: 4}, {name: e.natMap("answers"), keyBytes: 4}, {name: e.natMap("sources"), keyBytes: 4},
		{name: e.entryMap(&inet4, "entries"), keyBytes: 12}, {name: e.entryMap(&inet6, "entries"), keyBytes: 24},
	} {
		items = append(items, item{kind: isMap, name: s.name, add: []message{t.addSet(s)}})
	}
	var enter [][]expr.Any
	for _, f := range families {
		port, protocol := keyRegister+f.words(), keyRegister+f.words()+1
		enter = append(enter, rule(&expr.Meta{Key: expr.MetaKeyNFPROTO, Register: scratchRegister}, equals(scratchRegister, byte(f.protocol)),
			network(f.destination, f.bytes, keyRegister), transport(2, 2, port), &expr.Meta{Key: expr.MetaKeyL4PROTO, Register: protocol},
			goTo(e.entryMap(f, "entries"), keyRegister)))
	}
	mark := &expr.Ct{Key: expr.CtKeyMARK, Register: keyRegister}
	from := func(direction byte, places string) []expr.Any {
		return rule(&expr.Ct{Key: expr.CtKeyDIRECTION, Register: scratchRegister}, equals(scratchRegister, direction), mark, goTo(places, keyRegister))
	}
	for _, chain := range []struct {
		name  string
		at    *hook
		rules [][]expr.Any
	}{
		{e.natMap("masquerade"), nil, [][]expr.Any{rule(&expr.Masq{})}},
		{e.natMap("prerouting"), &hook{kind: "nat", number: unix.NF_INET_PRE_ROUTING, priority: -100}, enter},
		{e.natMap("counting"), &hook{kind: "filter", number: unix.NF_INET_PRE_ROUTING, priority: -90}, [][]expr.Any{from(originally, e.natMap("marks")), from(inReply, e.natMap("answers"))}},
		{e.natMap("postrouting"), &hook{kind: "nat", number: unix.NF_INET_POST_ROUTING, priority: 100}, [][]expr.Any{rule(mark, goTo(e.natMap("sources"), keyRegister))}},
	} {
		messages, err := t.addChain(chain.name, chain.at, chain.rules)
		if err != nil {
			return nil, err
		}
		items = append(items, item{kind: isChain, name: chain.name, base: chain.at != nil, add: messages})
	}
	return items, nil
}

// The directions of a tracked connection.
const originally, inReply = 0, 1

func (e *Engine) natMap(what string) string { return what + "_" + e.epoch }

// natService places new connections by the table of fresh backends; connection tracking
// keeps existing ones.
func (e *Engine) natService(t table, service *datapath.Service, device uint32) (*servicePlan, error) {
	p, n, f := t.newService(service), newNames(e.epoch, service, device), familyOf(service.Key)
	_, fresh, _ := tables(service)
	rows := p.rows(t, n, fresh)
	var begin []element
	for i := range service.Backends {
		backend := &service.Backends[i]
		packets, answers, begins := packetCounter(service.Key, backend.ID), answerCounter(service.Key, backend.ID), beginCounter(service.Key, backend.ID)
		for _, name := range []string{packets, answers, begins} {
			p.items = append(p.items, item{kind: isCounter, name: name, add: []message{t.addCounter(name)}})
		}
		mark := native(mark(service.Key, backend.ID))
		if err := p.chain(t, n.backend(backend.ID), [][]expr.Any{rule(count(packets))}); err != nil {
			return nil, err
		}
		if err := p.chain(t, n.answers(backend.ID), [][]expr.Any{rule(count(answers))}); err != nil {
			return nil, err
		}
		if err := p.chain(t, n.first(backend.ID), [][]expr.Any{rule(count(begins),
			immediate(keyRegister, mark), &expr.Ct{Key: expr.CtKeyMARK, Register: keyRegister, SourceRegister: true},
			immediate(keyRegister, backend.Address.AsSlice()), immediate(scratchRegister, []byte{byte(backend.Port >> 8), byte(backend.Port)}),
			&expr.NAT{Type: expr.NATTypeDestNAT, Family: f.protocol, RegAddrMin: keyRegister, RegProtoMin: scratchRegister})}); err != nil {
			return nil, err
		}
		begin = append(begin, element{key: numberBytes(backend.ID), chain: n.first(backend.ID)})
		p.entry(e.natMap("marks"), string(mark), n.backend(backend.ID))
		p.entry(e.natMap("answers"), string(mark), n.answers(backend.ID))
		p.entry(e.natMap("sources"), string(mark), e.natMap("masquerade"))
	}
	p.verdicts(t, n.begin(), begin)
	chooser := &chooser{names: n, family: f, key: service.Key}
	rules := [][]expr.Any{rule(count(refusedCounter(service.Key)), refuseAsHost(service.Key))}
	if rows != "" {
		rules = [][]expr.Any{rule(chooser.flow(), chooser.row(), lookup(rows, rowRegister, valueRegister), chooser.goFirst())}
	}
	if err := p.chain(t, n.chain(), rules); err != nil {
		return nil, err
	}
	p.entry(e.entryMap(f, "entries"), string(entryKey(service.Key)), n.chain())
	return p, nil
}

// refuseAsHost rejects like a host with the service's address. A Kubernetes node doesn't
// have it: it would forward the packet to its own router, and track all retries.
func refuseAsHost(key datapath.Key) expr.Any {
	if key.Protocol == datapath.TCP {
		return &expr.Reject{Type: unix.NFT_REJECT_TCP_RST}
	}
	return &expr.Reject{Type: unix.NFT_REJECT_ICMPX_UNREACH, Code: unix.NFT_REJECT_ICMPX_PORT_UNREACH}
}

// mark is a connection's backend in connection tracking.
func mark(key datapath.Key, id string) uint32 { return markOf(serviceNumber(key), number(id)) }

func markOf(service, backend uint64) uint32 {
	return uint32((service^backend*maglev.Rows)>>16) | 1
}
