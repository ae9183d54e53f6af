package nftables

import (
	"fmt"
	"time"

	"github.com/google/nftables/expr"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/maglev"
)

// How long a flow is kept without a packet of the client. One that is idle for longer
// goes by the table of settled flows, which nearly always gives the same backend.
const (
	tcpIdle     = 15 * time.Minute
	udpIdle     = 2 * time.Minute
	halfIdle    = 30 * time.Second // between SYN and the next packet
	youngIdle   = 5 * time.Second
	closingIdle = time.Minute // after FIN or RST
)

// family is what differs between IPv4 and IPv6.
type family struct {
	name                  string
	etherType, protocol   uint32 // in Ethernet frames, and as NFPROTO
	bytes                 uint32 // of an address
	source, destination   uint32 // offsets in the header
	icmp                  byte   // protocol number
	errors                [][2]byte
	header                uint32 // length, of one inside an error
	version, versionMask  byte   // first byte of it
	innerSource, innerDst uint32 // offsets in it
	innerProtocol         uint32
}

var (
	families = []*family{&inet4, &inet6}
	inet4    = family{
		name: "4", etherType: unix.ETH_P_IP, protocol: unix.NFPROTO_IPV4, bytes: 4, source: 12, destination: 16,
		icmp: unix.IPPROTO_ICMP, errors: [][2]byte{{3, 3}, {11, 12}}, header: 20, version: 0x45, versionMask: 0xff,
		innerSource: 12, innerDst: 16, innerProtocol: 9,
	}
	inet6 = family{
		name: "6", etherType: unix.ETH_P_IPV6, protocol: unix.NFPROTO_IPV6, bytes: 16, source: 8, destination: 24,
		icmp: unix.IPPROTO_ICMPV6, errors: [][2]byte{{1, 4}}, header: 40, version: 0x60, versionMask: 0xf0,
		innerSource: 8, innerDst: 24, innerProtocol: 6,
	}
)

func familyOf(key datapath.Key) *family {
	if key.Address.Is4() {
		return &inet4
	}
	return &inet6
}

// words is how many registers an address takes.
func (f *family) words() uint32 { return f.bytes / 4 }

// flowBytes is the length of a flow's key: client address, port and service number.
func (f *family) flowBytes() int { return int(f.bytes) + 4 + 8 }

// flowMaps are the maps that packets fill. Their names contain their size, so that a new
// size means new maps.
type flowMaps struct{ known, half, young, closing string }

func (m flowMaps) all() []string { return []string{m.known, m.half, m.young, m.closing} }

func (e *Engine) flowMaps(f *family) flowMaps {
	name := func(what string) string { return fmt.Sprintf("%s%s_%d", what, f.name, e.options.Connections) }
	return flowMaps{known: name("flows"), half: name("half"), young: name("young"), closing: name("closing")}
}

// directBase returns the table's objects besides services.
func (e *Engine) directBase(t table, device string) ([]item, error) {
	items := []item{{kind: isCounter, name: dropCounter("fragment")}, {kind: isCounter, name: misplacedCounter}}
	for i := range items {
		items[i].add = []message{t.addCounter(items[i].name)}
	}
	var rules [][]expr.Any
	for _, f := range families {
		flows := e.flowMaps(f)
		for _, name := range flows.all() { // with a timeout for each element
			s := set{name: name, learns: tcpIdle, data: 8, keyBytes: f.flowBytes(), size: e.options.Connections}
			items = append(items, item{kind: isMap, name: name, add: []message{t.addSet(s)}})
		}
		for _, s := range []set{
			{name: e.entryMap(f, "addresses"), plain: true, keyBytes: int(f.bytes)},
			{name: e.entryMap(f, "entries"), keyBytes: int(f.bytes) + 8},
			{name: e.entryMap(f, "errors"), keyBytes: int(f.bytes) + 8},
		} {
			items = append(items, item{kind: isMap, name: s.name, add: []message{t.addSet(s)}})
		}
		rules = append(rules, e.entryRules(f)...)
	}
	base := "ingress_" + e.epoch
	messages, err := t.addChain(base, &hook{kind: "filter", number: unix.NF_NETDEV_INGRESS, device: device}, rules)
	if err != nil {
		return nil, err
	}
	return append(items, item{kind: isChain, name: base, base: true, add: messages}), nil
}

func (e *Engine) entryMap(f *family, what string) string { return what + f.name + "_" + e.epoch }

// entryRules find the service of a packet, or of the packet inside an ICMP error.
func (e *Engine) entryRules(f *family) (rules [][]expr.Any) {
	family := rule(&expr.Meta{Key: expr.MetaKeyPROTOCOL, Register: scratchRegister}, equals(scratchRegister, byte(f.etherType>>8), byte(f.etherType)))
	protocol := func(to uint32) expr.Any { return &expr.Meta{Key: expr.MetaKeyL4PROTO, Register: to} }
	port, number := keyRegister+f.words(), keyRegister+f.words()+1

	// The service of a fragment is unknown: only the first has ports.
	fragmented := rule(network(6, 2, scratchRegister), masked(expr.CmpOpNeq, scratchRegister, []byte{0x3f, 0xff}, []byte{0, 0}))
	if f.bytes == 16 {
		fragmented = rule(&expr.Exthdr{Op: expr.ExthdrOpIpv6, Type: unix.IPPROTO_FRAGMENT, Len: 1, Flags: unix.NFT_EXTHDR_F_PRESENT, DestRegister: scratchRegister}, equals(scratchRegister, 1))
	}
	rules = append(rules, rule(family, network(f.destination, f.bytes, keyRegister), isIn(e.entryMap(f, "addresses"), keyRegister), fragmented,
		count(dropCounter("fragment")), verdict(expr.VerdictDrop, "")))

	rules = append(rules, rule(family, network(f.destination, f.bytes, keyRegister), transport(2, 2, port), protocol(number), goTo(e.entryMap(f, "entries"), keyRegister)))

	for _, types := range f.errors {
		inner := func(offset, length, to uint32) expr.Any { return transport(8+offset, length, to) }
		rules = append(rules, rule(family, protocol(scratchRegister), equals(scratchRegister, f.icmp),
			transport(0, 1, scratchRegister), &expr.Range{Op: expr.CmpOpEq, Register: scratchRegister, FromData: types[:1], ToData: types[1:]},
			inner(0, 1, scratchRegister), masked(expr.CmpOpEq, scratchRegister, []byte{f.versionMask}, []byte{f.version}),
			inner(f.innerSource, f.bytes, keyRegister), inner(f.header, 2, port), inner(f.innerProtocol, 1, number),
			goTo(e.entryMap(f, "errors"), keyRegister)))
	}
	return rules
}

// directService returns all objects of one service: its tables of rows, a chain for each
// backend, and the chains that choose.
func (e *Engine) directService(t table, service *datapath.Service, device uint32) (*servicePlan, error) {
	p, n, f := t.newService(service), newNames(e.epoch, service, device), familyOf(service.Key)
	settled, fresh, moved := tables(service)
	settledMap, movedMap := p.rows(t, n, settled), p.rows(t, n, moved)

	var known, begin []element
	for i := range service.Backends {
		backend := &service.Backends[i]
		packets, begins := packetCounter(service.Key, backend.ID), beginCounter(service.Key, backend.ID)
		p.items = append(p.items, item{kind: isCounter, name: packets, add: []message{t.addCounter(packets)}},
			item{kind: isCounter, name: begins, add: []message{t.addCounter(begins)}})
		if !service.Keeps(*backend) {
			continue
		}
		send := rule(count(packets), immediate(keyRegister, backend.Address.AsSlice()), immediate(scratchRegister, native(device)),
			fwd{device: scratchRegister, address: keyRegister, protocol: f.protocol})
		if err := p.chain(t, n.backend(backend.ID), [][]expr.Any{send}); err != nil {
			return nil, err
		}
		if err := p.chain(t, n.first(backend.ID), [][]expr.Any{rule(count(begins), verdict(expr.VerdictGoto, n.backend(backend.ID)))}); err != nil {
			return nil, err
		}
		known = append(known, element{key: numberBytes(backend.ID), chain: n.backend(backend.ID)})
		if backend.Up && backend.State != datapath.Draining {
			begin = append(begin, element{key: numberBytes(backend.ID), chain: n.first(backend.ID)})
		}
	}
	p.verdicts(t, n.known(), known)
	p.verdicts(t, n.begin(), begin)

	chooser := &chooser{names: n, family: f, flows: e.flowMaps(f), key: service.Key, settled: settledMap, moved: movedMap, open: len(fresh) > 0}
	choose := chooser.udp
	if service.Key.Protocol == datapath.TCP {
		choose = chooser.tcp
	}
	if err := p.chain(t, n.chain(), choose()); err != nil {
		return nil, err
	}
	p.entry(e.entryMap(f, "entries"), string(entryKey(service.Key)), n.chain())
	p.entry(e.entryMap(f, "addresses"), string(service.Key.Address.AsSlice()), "")
	if err := p.chain(t, n.errors(), chooser.errors()); err != nil {
		return nil, err
	}
	p.entry(e.entryMap(f, "errors"), string(entryKey(service.Key)), n.errors())
	return p, nil
}

// newService starts a service with the counter of rejected packets.
func (t table) newService(service *datapath.Service) *servicePlan {
	refused := refusedCounter(service.Key)
	return &servicePlan{items: []item{{kind: isCounter, name: refused, add: []message{t.addCounter(refused)}}}}
}

func (p *servicePlan) chain(t table, name string, rules [][]expr.Any) error {
	messages, err := t.addChain(name, nil, rules)
	p.items = append(p.items, item{kind: isChain, name: name, add: messages})
	return err
}

func (p *servicePlan) verdicts(t table, name string, elements []element) {
	p.items = append(p.items, item{kind: isMap, name: name, sum: sum(elements), add: append([]message{t.addSet(set{name: name, keyBytes: 8})}, t.addElements(name, elements)...)})
}

// rows adds a table of rows and returns its name, "" for an empty one.
func (p *servicePlan) rows(t table, n names, rows []element) string {
	if len(rows) == 0 {
		return ""
	}
	name := n.rows(rows)
	s := set{name: name, keyBytes: 4, data: 8, size: maglev.Rows}
	p.items = append(p.items, item{kind: isMap, name: name, sum: sum(rows), add: append([]message{t.addSet(s)}, t.addElements(name, rows)...)})
	return name
}
