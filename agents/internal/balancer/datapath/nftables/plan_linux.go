package nftables

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/fnv"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/maglev"
)

// names generates the names of a service's objects. Objects with the same name have the
// same content, so a change adds missing names and deletes surplus ones; nothing is
// changed in place.
type names struct {
	epoch   string // changes after manual damage, when no name can be trusted
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

// rows are named by content: most changes keep one of the tables.
func (n names) rows(rows []element) string {
	sum := sha256.New()
	for _, row := range rows {
		sum.Write(row.key)
		sum.Write(row.value)
	}
	return fmt.Sprintf("rows_%s_%s_%x", n.epoch, n.service, sum.Sum(nil)[:8])
}

// Counters survive all changes of their service and restarts.
func packetCounter(key datapath.Key, id string) string { return counterName("packets", key, id) }
func answerCounter(key datapath.Key, id string) string { return counterName("answers", key, id) }
func beginCounter(key datapath.Key, id string) string  { return counterName("begins", key, id) }
func refusedCounter(key datapath.Key) string           { return fmt.Sprintf("refused_%016x", serviceNumber(key)) }

// dropCounter counts packets without a known service.
func dropCounter(reason string) string { return "drops_" + reason }

func counterName(what string, key datapath.Key, id string) string {
	return fmt.Sprintf("%s_%016x_%016x", what, serviceNumber(key), number(id))
}

// serviceNumber identifies a service in keys of flows, number a backend in values. They
// never change, so that a new process can use existing flows.
func serviceNumber(key datapath.Key) uint64 { return number(key.String()) }

func number(id string) uint64 {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(id))
	return hash.Sum64() | 1
}

func numberBytes(id string) []byte { return binary.BigEndian.AppendUint64(nil, number(id)) }

// seed makes services place the same client independently, but the same on all replicas.
func seed(key datapath.Key) uint32 { return uint32(serviceNumber(key)>>32) | 1 }

// tables returns the tables of rows, as elements from row to backend. moved has the rows
// where a new connection goes to another backend than an existing one.
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

// entryKey is the key of a service in the base chain: address, port and protocol, each
// padded to four bytes.
func entryKey(key datapath.Key) []byte {
	bytes := key.Address.AsSlice()
	bytes = binary.BigEndian.AppendUint16(bytes, key.Port)
	return append(bytes, 0, 0, byte(key.Protocol), 0, 0, 0)
}

// item is one chain, map or counter.
type item struct {
	kind kind
	name string
	base bool // a chain with a hook: it is added and deleted with the commit
	add  []message
	sum  uint64 // checksum of the elements of a map that packets don't change
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

// plan is the wanted content of one table, in an order in which it can be added.
type plan struct {
	table   table
	items   []item
	entries map[string]map[string]string // map → key → chain: switches services
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

// sum is independent of the order of elements, which is arbitrary in the kernel's lists.
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
