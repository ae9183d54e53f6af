package nftables

import (
	"encoding/binary"
	"errors"
	"hash/fnv"
	"strings"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

// look lists this engine's existing objects by name only; a new epoch relies on nothing
// else.
func (e *Engine) look() error {
	for i, t := range []table{e.directTable, e.natTable} {
		state := &tableState{table: t}
		there, err := e.isThere(t)
		if err != nil {
			return err
		}
		if there {
			state.live = map[identity]bool{}
			if _, err := e.list(t, state.live); err != nil {
				return err
			}
		}
		e.tables[i] = state
	}
	return nil
}

func (e *Engine) isThere(t table) (there bool, err error) {
	m := t.message(unix.NFT_MSG_GETTABLE, 0, "find table", "", func(a *netlink.AttributeEncoder) { a.String(unix.NFTA_TABLE_NAME, t.name) })
	err = e.socket.dump(m, func(uint16, *netlink.AttributeDecoder) error { there = true; return nil })
	if errors.Is(err, unix.ENOENT) {
		return false, nil
	}
	return there, err
}

// verify reports whether another program changed this engine's objects. The kernel counts
// changes to all tables; ours are only read after one.
func (e *Engine) verify(device uint32) (damaged bool, err error) {
	if !e.known {
		return false, nil
	}
	if e.device != device {
		return true, nil // the interface was recreated under the same name, and its hook is gone with the old one
	}
	generation, err := e.kernelGeneration()
	if err != nil || generation == e.generation {
		return false, err
	}
	for _, state := range e.tables {
		there, err := e.isThere(state.table)
		if err != nil {
			return false, err
		}
		if there != (state.live != nil) {
			return true, nil
		}
		for name, want := range state.sums {
			if have, err := e.sumOf(state.table, name); err != nil || have != want {
				return true, nil
			}
		}
	}
	rules, err := e.sumOfRules()
	if err != nil || rules != e.rules {
		return true, err
	}
	e.generation = generation
	return false, nil
}

// remember records the kernel's state after a change by this engine.
func (e *Engine) remember() (err error) {
	if e.generation, err = e.kernelGeneration(); err != nil {
		return err
	}
	if e.rules, err = e.sumOfRules(); err != nil {
		return err
	}
	e.known = true
	return nil
}

func (e *Engine) kernelGeneration() (generation uint32, err error) {
	m := message{kind: unix.NFT_MSG_GETGEN, does: "get the generation of rules"}
	err = e.socket.dump(m, func(_ uint16, a *netlink.AttributeDecoder) error {
		for a.Next() {
			if a.Type() == unix.NFTA_GEN_ID {
				generation = a.Uint32()
			}
		}
		return a.Err()
	})
	return generation, err
}

func (e *Engine) sumOfRules() (sum uint64, err error) {
	for _, state := range e.tables {
		if state.live == nil {
			continue
		}
		one, err := e.list(state.table, map[identity]bool{})
		if err != nil {
			return 0, err
		}
		sum += one
	}
	return sum, nil
}

// list records all names and calculates a checksum of chains and rules.
func (e *Engine) list(t table, live map[identity]bool) (sum uint64, err error) {
	for _, what := range []struct {
		message, table, name uint16
		kind                 kind
		does                 string
		content              []uint16 // attributes
	}{
		{unix.NFT_MSG_GETCHAIN, unix.NFTA_CHAIN_TABLE, unix.NFTA_CHAIN_NAME, isChain, "chains", []uint16{unix.NFTA_CHAIN_HOOK, unix.NFTA_CHAIN_POLICY, unix.NFTA_CHAIN_TYPE}},
		{unix.NFT_MSG_GETRULE, unix.NFTA_RULE_TABLE, unix.NFTA_RULE_CHAIN, 0, "rules", []uint16{unix.NFTA_RULE_EXPRESSIONS}},
		{unix.NFT_MSG_GETSET, unix.NFTA_SET_TABLE, unix.NFTA_SET_NAME, isMap, "maps", nil},
		{unix.NFT_MSG_GETOBJ, unix.NFTA_OBJ_TABLE, unix.NFTA_OBJ_NAME, isCounter, "counters", nil},
	} {
		m := t.message(what.message, unix.NLM_F_DUMP, "list "+what.does, "", func(a *netlink.AttributeEncoder) { a.String(what.table, t.name) })
		err := e.socket.dump(m, func(_ uint16, a *netlink.AttributeDecoder) error {
			hash, name, ours := fnv.New64a(), "", false
			for a.Next() {
				switch a.Type() {
				case what.table:
					ours = a.String() == t.name // not all kernels filter chains
				case what.name:
					name = a.String()
				default:
					for _, attribute := range what.content {
						if a.Type() == attribute {
							_, _ = hash.Write(a.Bytes())
						}
					}
				}
			}
			if ours && what.kind != 0 {
				live[identity{what.kind, name}] = true
			}
			if ours {
				_, _ = hash.Write([]byte(name))
				sum += hash.Sum64()
			}
			return a.Err()
		})
		if err != nil {
			return 0, err
		}
	}
	return sum, nil
}

func (e *Engine) sumOf(t table, set string) (sum uint64, err error) {
	err = e.socket.elements(t, set, func(one element) { sum += one.sum() })
	return sum, err
}

// elements reads a map.
func (s *socket) elements(t table, set string, each func(element)) error {
	m := t.message(unix.NFT_MSG_GETSETELEM, unix.NLM_F_DUMP, "list map", set, func(a *netlink.AttributeEncoder) {
		a.String(unix.NFTA_SET_ELEM_LIST_TABLE, t.name)
		a.String(unix.NFTA_SET_ELEM_LIST_SET, set)
	})
	return s.dump(m, func(_ uint16, a *netlink.AttributeDecoder) error { return eachElement(a, each) })
}

// eachElement reads a list of elements, which may be one of many for a map.
func eachElement(a *netlink.AttributeDecoder, each func(element)) error {
	for a.Next() {
		if a.Type() != unix.NFTA_SET_ELEM_LIST_ELEMENTS {
			continue
		}
		a.Nested(func(a *netlink.AttributeDecoder) error {
			for a.Next() {
				var one element
				a.Nested(one.decode)
				each(one)
			}
			return nil
		})
	}
	return a.Err()
}

func (e *element) decode(a *netlink.AttributeDecoder) error {
	a.ByteOrder = binary.BigEndian
	for a.Next() {
		into := &e.value
		switch a.Type() {
		case unix.NFTA_SET_ELEM_KEY:
			into = &e.key
		case unix.NFTA_SET_ELEM_DATA:
		default:
			continue
		}
		a.Nested(func(a *netlink.AttributeDecoder) error {
			for a.Next() {
				if a.Type() == unix.NFTA_DATA_VALUE {
					*into = a.Bytes()
					continue
				}
				a.Nested(func(a *netlink.AttributeDecoder) error {
					for a.Next() {
						if a.Type() == unix.NFTA_VERDICT_CHAIN {
							e.chain = a.String()
						}
					}
					return nil
				})
			}
			return nil
		})
	}
	return nil
}

func isBase(chain string) bool {
	for _, prefix := range []string{"ingress_", "prerouting_", "postrouting_", "counting_"} {
		if strings.HasPrefix(chain, prefix) {
			return true
		}
	}
	return false
}

func isRows(set string) bool { return strings.HasPrefix(set, "rows_") }

// isFilledByPackets is true for maps of flows.
func isFilledByPackets(set string) bool {
	for _, prefix := range []string{"flows", "half", "young", "closing"} {
		if strings.HasPrefix(set, prefix) {
			return true
		}
	}
	return false
}
