package nftables

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/fnv"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/maglev"
)

// names hands out names of what a service is made of. What has the same name
// has the same content, so that a change is to add the names that are missing
// and to delete those that are too many; nothing is ever changed in place.
type names struct {
	epoch   string // another after damage by hand, when no name can be trusted
	service string
	content string
}

func newNames(epoch string, service *datapath.Service, device uint32) names {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %v", epoch, device, *service))
	return names{epoch: epoch, service: fmt.Sprintf("%016x", serviceNumber(service.Key)), content: fmt.Sprintf("%x", sum[:8])}
}

func (n names) chain() string  { return "service_" + n.content }
func (n names) errors() string { return "errors_" + n.content }
func (n names) known() string  { return "known_" + n.content }
func (n names) begin() string  { return "begin_" + n.content }

func (n names) backend(id string) string {
	return fmt.Sprintf("backend_%s_%016x", n.content, number(id))
}
func (n names) answers(id string) string {
	return fmt.Sprintf("answers_%s_%016x", n.content, number(id))
}

func (n names) first(id string) string { return fmt.Sprintf("first_%s_%016x", n.content, number(id)) }

// rows are named for what is in them: most changes leave one of the tables as it was.
func (n names) rows(rows []element) string {
	sum := sha256.New()
	for _, row := range rows {
		sum.Write(row.key)
		sum.Write(row.value)
	}
	return fmt.Sprintf("rows_%s_%s_%x", n.epoch, n.service, sum.Sum(nil)[:8])
}

// Counters outlive every change of their service and every process.
func packetCounter(key datapath.Key, id string) string { return counterName("packets", key, id) }
func answerCounter(key datapath.Key, id string) string { return counterName("answers", key, id) }
func beginCounter(key datapath.Key, id string) string  { return counterName("begins", key, id) }
func refusedCounter(key datapath.Key) string           { return fmt.Sprintf("refused_%016x", serviceNumber(key)) }

// dropCounter counts packets whose service can't be said.
func dropCounter(reason string) string { return "drops_" + reason }

func counterName(what string, key datapath.Key, id string) string {
	return fmt.Sprintf("%s_%016x_%016x", what, serviceNumber(key), number(id))
}

// serviceNumber stands for a service in keys of flows; number for a backend, as
// value of flows. They never change, so that a new process knows the flows of
// the one before.
func serviceNumber(key datapath.Key) uint64 { return number(key.String()) }

func number(id string) uint64 {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(id))
	return hash.Sum64() | 1
}

func numberBytes(id string) []byte { return binary.BigEndian.AppendUint64(nil, number(id)) }

// seed makes each service place the same client by itself, the same on all replicas.
func seed(key datapath.Key) uint32 { return uint32(serviceNumber(key)>>32) | 1 }

// tables of rows, as elements from row to backend. Moved has the rows where a
// new connection goes elsewhere than an old one.
func tables(service *datapath.Service) (settled, fresh, moved []element) {
	were, are := datapath.Settled(service.Backends), datapath.Fresh(service.Backends)
	settledTable, freshTable := maglev.Build(were), maglev.Build(are)
	for row := range maglev.Rows {
		key, old := native32(uint32(row)), ""
		if at := settledTable[row]; at != maglev.Empty {
			old = were[at].ID
			settled = append(settled, element{key: key, value: numberBytes(old)})
		}
		if at := freshTable[row]; at != maglev.Empty {
			to := element{key: key, value: numberBytes(are[at].ID)}
			fresh = append(fresh, to)
			if are[at].ID != old {
				moved = append(moved, to)
			}
		}
	}
	return settled, fresh, moved
}

func native32(n uint32) []byte { return binary.NativeEndian.AppendUint32(nil, n) }

// entryKey is a service as the base chain looks it up: address, port and protocol, each padded to four bytes.
func entryKey(key datapath.Key) []byte {
	bytes := key.Address.AsSlice()
	bytes = binary.BigEndian.AppendUint16(bytes, key.Port)
	return append(bytes, 0, 0, byte(key.Protocol), 0, 0, 0)
}

// item is one chain, map or counter.
type item struct {
	kind kind
	name string
	base bool // a chain with a hook: it comes and goes with the commit
	add  []message
	sum  uint64 // of the elements, of a map that packets don't change
}

type kind byte

const (
	isChain   kind = 'c'
	isMap     kind = 'm'
	isCounter kind = 'o'
)

// identity is unique in a table.
type identity struct {
	kind kind
	name string
}

func (i *item) identity() identity { return identity{i.kind, i.name} }

// plan is everything one table should hold, in an order in which it can be added.
type plan struct {
	table   table
	items   []item
	entries map[string]map[string]string // map → key → chain: what switches services
}

// servicePlan is the part of one service.
type servicePlan struct {
	items   []item
	entries map[string]map[string]string
}

func (p *servicePlan) entry(in, key, chain string) {
	if p.entries == nil {
		p.entries = map[string]map[string]string{}
	}
	if p.entries[in] == nil {
		p.entries[in] = map[string]string{}
	}
	p.entries[in][key] = chain
}

// sum doesn't depend on the order of elements, in which the kernel lists them as it likes.
func sum(elements []element) (sum uint64) {
	for _, one := range elements {
		sum += one.sum()
	}
	return sum
}

func (e *element) sum() uint64 {
	hash := fnv.New64a()
	_, _ = hash.Write(e.key)
	_, _ = hash.Write(e.value)
	_, _ = hash.Write([]byte(e.chain))
	return hash.Sum64()
}
