package fib

import (
	"encoding/binary"
	"fmt"
	"net/netip"

	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"
)

// From linux/nexthop.h and linux/rtnetlink.h; neither x/sys nor netlink define them.
const (
	groupTypeMultipath = 0
	groupTypeResilient = 1
	attrResGroup       = 12 // NHA_RES_GROUP
	resBuckets         = 1
	resIdleTimer       = 2
	resUnbalancedTimer = 3
	clockPerSecond     = 100 // USER_HZ, the same on every Linux
	routeNextHop       = 30  // RTA_NH_ID
)

type member struct {
	id     uint32
	weight uint8 // minus one
}

// header is struct nhmsg.
type header struct{ family, protocol uint8 }

func (header) Len() int { return 8 }

func (h header) Serialize() []byte { return []byte{h.family, 0, h.protocol, 0, 0, 0, 0, 0} }

// way is the location of a next hop: a neighbor on a link.
type way struct {
	link    uint32
	gateway netip.Addr
}

func putHop(owner uint8, id uint32, to way, replace bool) error {
	request := nl.NewNetlinkRequest(unix.RTM_NEWNEXTHOP, unix.NLM_F_ACK|unix.NLM_F_CREATE|inPlace(replace))
	request.AddData(header{family(to.gateway), owner})
	request.AddData(nl.NewRtAttr(unix.NHA_ID, nl.Uint32Attr(id)))
	request.AddData(nl.NewRtAttr(unix.NHA_OIF, nl.Uint32Attr(to.link)))
	request.AddData(nl.NewRtAttr(unix.NHA_GATEWAY, to.gateway.AsSlice()))
	_, err := request.Execute(unix.NETLINK_ROUTE, 0)
	return err
}

// inPlace is a request's flag: replace an existing object, or require that there is none.
func inPlace(replace bool) int {
	if replace {
		return unix.NLM_F_REPLACE
	}
	return unix.NLM_F_EXCL
}

func deleteHop(id uint32) error {
	request := nl.NewNetlinkRequest(unix.RTM_DELNEXTHOP, unix.NLM_F_ACK)
	request.AddData(header{})
	request.AddData(nl.NewRtAttr(unix.NHA_ID, nl.Uint32Attr(id)))
	_, err := request.Execute(unix.NETLINK_ROUTE, 0)
	return err
}

func putGroup(owner uint8, id uint32, members []member, resilient, replace bool) error {
	packed := make([]byte, 0, 8*len(members)) // struct nexthop_grp each
	for _, m := range members {
		packed = binary.NativeEndian.AppendUint32(packed, m.id)
		packed = append(packed, m.weight, 0, 0, 0)
	}
	request := nl.NewNetlinkRequest(unix.RTM_NEWNEXTHOP, unix.NLM_F_ACK|unix.NLM_F_CREATE|inPlace(replace))
	request.AddData(header{unix.AF_UNSPEC, owner})
	request.AddData(nl.NewRtAttr(unix.NHA_ID, nl.Uint32Attr(id)))
	request.AddData(nl.NewRtAttr(unix.NHA_GROUP, packed))
	kind := uint16(groupTypeMultipath)
	if resilient {
		kind = groupTypeResilient
	}
	request.AddData(nl.NewRtAttr(unix.NHA_GROUP_TYPE, nl.Uint16Attr(kind)))
	if resilient {
		settings := nl.NewRtAttr(attrResGroup|unix.NLA_F_NESTED, nil)
		settings.AddRtAttr(resBuckets, nl.Uint16Attr(buckets))
		settings.AddRtAttr(resIdleTimer, nl.Uint32Attr(idleSeconds*clockPerSecond))
		settings.AddRtAttr(resUnbalancedTimer, nl.Uint32Attr(unbalancedSecondsOf(members)*clockPerSecond))
		request.AddData(settings)
	}
	_, err := request.Execute(unix.NETLINK_ROUTE, 0)
	return err
}

// object is a next hop or a group in the kernel.
type object struct {
	owner     uint8
	id        uint32
	to        way
	members   []member // of a group
	resilient bool
}

func readObject(id uint32) ([]object, error) {
	request := nl.NewNetlinkRequest(unix.RTM_GETNEXTHOP, 0)
	request.AddData(header{})
	request.AddData(nl.NewRtAttr(unix.NHA_ID, nl.Uint32Attr(id)))
	return objects(request)
}

func readObjects() ([]object, error) {
	request := nl.NewNetlinkRequest(unix.RTM_GETNEXTHOP, unix.NLM_F_DUMP)
	request.AddData(header{})
	return objects(request)
}

func objects(request *nl.NetlinkRequest) (found []object, err error) {
	messages, err := request.Execute(unix.NETLINK_ROUTE, unix.RTM_NEWNEXTHOP)
	if err != nil {
		return nil, err
	}
	for _, message := range messages {
		one, err := parseObject(message)
		if err != nil {
			return nil, err
		}
		found = append(found, one)
	}
	return found, nil
}

func parseObject(message []byte) (one object, err error) {
	if len(message) < (header{}).Len() {
		return one, fmt.Errorf("a message of next hops has %d bytes", len(message))
	}
	attributes, err := nl.ParseRouteAttr(message[header{}.Len():])
	if err != nil {
		return one, err
	}
	one.owner = message[2]
	for _, attribute := range attributes {
		value := attribute.Value
		switch {
		case attribute.Attr.Type == unix.NHA_ID && len(value) >= 4:
			one.id = binary.NativeEndian.Uint32(value)
		case attribute.Attr.Type == unix.NHA_OIF && len(value) >= 4:
			one.to.link = binary.NativeEndian.Uint32(value)
		case attribute.Attr.Type == unix.NHA_GATEWAY:
			one.to.gateway, _ = netip.AddrFromSlice(value)
		case attribute.Attr.Type == unix.NHA_GROUP_TYPE && len(value) >= 2:
			one.resilient = binary.NativeEndian.Uint16(value) == groupTypeResilient
		case attribute.Attr.Type == unix.NHA_GROUP:
			for ; len(value) >= 8; value = value[8:] {
				one.members = append(one.members, member{binary.NativeEndian.Uint32(value), value[4]})
			}
		}
	}
	return one, nil
}
