package nftables

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/google/nftables/expr"
	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

// table is the target of messages.
type table struct {
	family uint8
	name   string
	ours   bool // owned by this socket, and deleted with it
}

const tableOwned = 0x2 // NFT_TABLE_F_OWNER, since Linux 5.12

// elementsMost is the maximum size of one message's elements: an attribute holds less
// than 64 KiB.
const elementsMost = 60_000

// dataVerdict is the type of a map to verdicts.
const dataVerdict = 0xffffff00

func (t table) add() message {
	return t.message(unix.NFT_MSG_NEWTABLE, unix.NLM_F_CREATE, "add table", "", func(a *netlink.AttributeEncoder) {
		a.String(unix.NFTA_TABLE_NAME, t.name)
		if t.ours {
			a.Uint32(unix.NFTA_TABLE_FLAGS, tableOwned)
		}
	})
}

func (t table) remove() message {
	return t.message(unix.NFT_MSG_DELTABLE, 0, "delete table", "", func(a *netlink.AttributeEncoder) {
		a.String(unix.NFTA_TABLE_NAME, t.name)
	})
}

// hook is where packets enter a chain.
type hook struct {
	kind     string // "filter", "nat"
	number   uint32
	priority int32
	device   string // of netdev
}

func (t table) addChain(name string, at *hook, rules [][]expr.Any) ([]message, error) {
	messages := []message{t.message(unix.NFT_MSG_NEWCHAIN, unix.NLM_F_CREATE, "add chain", name, func(a *netlink.AttributeEncoder) {
		a.String(unix.NFTA_CHAIN_TABLE, t.name)
		a.String(unix.NFTA_CHAIN_NAME, name)
		if at == nil {
			return
		}
		a.Nested(unix.NFTA_CHAIN_HOOK, func(a *netlink.AttributeEncoder) error {
			a.Uint32(unix.NFTA_HOOK_HOOKNUM, at.number)
			a.Uint32(unix.NFTA_HOOK_PRIORITY, uint32(at.priority))
			if at.device != "" {
				a.String(unix.NFTA_HOOK_DEV, at.device)
			}
			return nil
		})
		a.String(unix.NFTA_CHAIN_TYPE, at.kind)
	})}
	for i, rule := range rules {
		encoded := make([][]byte, 0, len(rule))
		for _, expression := range rule {
			bytes, err := marshal(t.family, expression)
			if err != nil {
				return nil, fmt.Errorf("encode rule %d of chain %s: %w", i, name, err)
			}
			encoded = append(encoded, bytes)
		}
		messages = append(messages, t.message(unix.NFT_MSG_NEWRULE, unix.NLM_F_CREATE|unix.NLM_F_APPEND, fmt.Sprintf("add rule %d to chain", i), name, func(a *netlink.AttributeEncoder) {
			a.String(unix.NFTA_RULE_TABLE, t.name)
			a.String(unix.NFTA_RULE_CHAIN, name)
			a.Nested(unix.NFTA_RULE_EXPRESSIONS, func(a *netlink.AttributeEncoder) error {
				for _, bytes := range encoded {
					a.Bytes(unix.NLA_F_NESTED|unix.NFTA_LIST_ELEM, bytes)
				}
				return nil
			})
		}))
	}
	return messages, nil
}

func (t table) removeChain(name string) message {
	return t.message(unix.NFT_MSG_DELCHAIN, 0, "delete chain", name, func(a *netlink.AttributeEncoder) {
		a.String(unix.NFTA_CHAIN_TABLE, t.name)
		a.String(unix.NFTA_CHAIN_NAME, name)
	})
}

func (t table) emptyChain(name string) message {
	return t.message(unix.NFT_MSG_DELRULE, 0, "empty chain", name, func(a *netlink.AttributeEncoder) {
		a.String(unix.NFTA_RULE_TABLE, t.name)
		a.String(unix.NFTA_RULE_CHAIN, name)
	})
}

// set is a map, as all but one are here.
type set struct {
	name     string
	keyBytes int
	data     int // bytes of values; verdicts when 0
	size     int // most elements
	learns   time.Duration
	plain    bool // a set instead of a map
}

func (t table) addSet(s set) message {
	return t.message(unix.NFT_MSG_NEWSET, unix.NLM_F_CREATE, "add map", s.name, func(a *netlink.AttributeEncoder) {
		a.String(unix.NFTA_SET_TABLE, t.name)
		a.String(unix.NFTA_SET_NAME, s.name)
		a.Uint32(unix.NFTA_SET_ID, 1)
		a.Uint32(unix.NFTA_SET_KEY_TYPE, 0)
		a.Uint32(unix.NFTA_SET_KEY_LEN, uint32(s.keyBytes))
		flags := uint32(unix.NFT_SET_MAP)
		switch {
		case s.plain:
			flags = 0
		case s.data == 0:
			a.Uint32(unix.NFTA_SET_DATA_TYPE, dataVerdict)
		default:
			a.Uint32(unix.NFTA_SET_DATA_TYPE, 0)
			a.Uint32(unix.NFTA_SET_DATA_LEN, uint32(s.data))
		}
		if s.learns != 0 {
			flags |= unix.NFT_SET_TIMEOUT | unix.NFT_SET_EVAL
			a.Uint64(unix.NFTA_SET_TIMEOUT, uint64(s.learns.Milliseconds()))
		}
		a.Uint32(unix.NFTA_SET_FLAGS, flags)
		if s.size > 0 {
			a.Nested(unix.NFTA_SET_DESC, func(a *netlink.AttributeEncoder) error {
				a.Uint32(unix.NFTA_SET_DESC_SIZE, uint32(s.size))
				return nil
			})
		}
	})
}

func (t table) removeSet(name string) message {
	return t.message(unix.NFT_MSG_DELSET, 0, "delete map", name, func(a *netlink.AttributeEncoder) {
		a.String(unix.NFTA_SET_TABLE, t.name)
		a.String(unix.NFTA_SET_NAME, name)
	})
}

// element maps a key to a value or, when that is nil, to a jump to a chain.
type element struct {
	key, value []byte
	chain      string
	timeout    time.Duration // its own timeout, or 0 for the map's
}

func (t table) addElements(set string, elements []element) []message {
	return t.elements(unix.NFT_MSG_NEWSETELEM, unix.NLM_F_CREATE, "add to map", set, elements)
}

func (t table) removeElements(set string, elements []element) []message {
	return t.elements(unix.NFT_MSG_DELSETELEM, 0, "delete from map", set, elements)
}

func (t table) emptySet(name string) message {
	return t.message(unix.NFT_MSG_DELSETELEM, 0, "empty map", name, func(a *netlink.AttributeEncoder) {
		a.String(unix.NFTA_SET_ELEM_LIST_TABLE, t.name)
		a.String(unix.NFTA_SET_ELEM_LIST_SET, name)
	})
}

func (t table) elements(kind, flags uint16, does, set string, elements []element) (messages []message) {
	var list []byte
	take := func(some []byte) {
		messages = append(messages, t.message(kind, flags, does, set, func(a *netlink.AttributeEncoder) {
			a.String(unix.NFTA_SET_ELEM_LIST_TABLE, t.name)
			a.String(unix.NFTA_SET_ELEM_LIST_SET, set)
			a.Bytes(unix.NLA_F_NESTED|unix.NFTA_SET_ELEM_LIST_ELEMENTS, some)
		}))
	}
	for _, one := range elements {
		before := len(list)
		if list = appendElement(list, one); len(list) > elementsMost {
			take(list[:before])
			list = append([]byte(nil), list[before:]...)
		}
	}
	if len(list) > 0 {
		take(list)
	}
	return messages
}

// appendElement encodes without the library, because there are tens of thousands of
// elements.
func appendElement(to []byte, one element) []byte {
	value, kind := one.value, uint16(unix.NFTA_DATA_VALUE)
	if one.chain != "" {
		chain := append([]byte(one.chain), 0)
		value, kind = appendAttribute(nil, unix.NFTA_VERDICT_CODE, binary.BigEndian.AppendUint32(nil, ^uint32(3))), unix.NLA_F_NESTED|unix.NFTA_DATA_VERDICT // NFT_GOTO is -4
		value = appendAttribute(value, unix.NFTA_VERDICT_CHAIN, chain)
	}
	body := appendAttribute(nil, unix.NLA_F_NESTED|unix.NFTA_SET_ELEM_KEY, appendAttribute(nil, unix.NFTA_DATA_VALUE, one.key))
	if value != nil {
		body = appendAttribute(body, unix.NLA_F_NESTED|unix.NFTA_SET_ELEM_DATA, appendAttribute(nil, kind, value))
	}
	if one.timeout != 0 {
		body = appendAttribute(body, unix.NFTA_SET_ELEM_TIMEOUT, binary.BigEndian.AppendUint64(nil, uint64(one.timeout.Milliseconds())))
	}
	return appendAttribute(to, unix.NLA_F_NESTED|unix.NFTA_LIST_ELEM, body)
}

func appendAttribute(to []byte, kind uint16, body []byte) []byte {
	to = binary.NativeEndian.AppendUint16(to, uint16(4+len(body)))
	to = binary.NativeEndian.AppendUint16(to, kind)
	to = append(to, body...)
	return append(to, make([]byte, -len(body)&3)...)
}

func (t table) addCounter(name string) message {
	return t.message(unix.NFT_MSG_NEWOBJ, unix.NLM_F_CREATE, "add counter", name, func(a *netlink.AttributeEncoder) {
		a.String(unix.NFTA_OBJ_TABLE, t.name)
		a.String(unix.NFTA_OBJ_NAME, name)
		a.Uint32(unix.NFTA_OBJ_TYPE, unix.NFT_OBJECT_COUNTER)
		a.Bytes(unix.NLA_F_NESTED|unix.NFTA_OBJ_DATA, nil)
	})
}

func (t table) removeCounter(name string) message {
	return t.message(unix.NFT_MSG_DELOBJ, 0, "delete counter", name, func(a *netlink.AttributeEncoder) {
		a.String(unix.NFTA_OBJ_TABLE, t.name)
		a.String(unix.NFTA_OBJ_NAME, name)
		a.Uint32(unix.NFTA_OBJ_TYPE, unix.NFT_OBJECT_COUNTER)
	})
}

func (t table) message(kind, flags uint16, does, name string, encode func(*netlink.AttributeEncoder)) message {
	attributes := netlink.NewAttributeEncoder()
	attributes.ByteOrder = binary.BigEndian
	encode(attributes)
	body, err := attributes.Encode()
	if err != nil {
		// Only names or lists above 64 KiB fail, and there are none.
		panic(fmt.Sprintf("nftables: %s %s: %v", does, name, err))
	}
	return message{kind: kind, flags: flags, family: t.family, does: fmt.Sprintf("%s %s of table %s", does, name, t.name), body: body}
}
