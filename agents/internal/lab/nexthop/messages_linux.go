package nexthop

import (
	"encoding/binary"
	"fmt"
	"net/netip"

	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"
)

// Of linux/nexthop.h, which neither x/sys nor netlink have.
const (
	groupTypeMultipath = 0
	groupTypeResilient = 1
	attrResGroup       = 12 // NHA_RES_GROUP
	resBuckets         = 1
	resIdleTimer       = 2
	clockPerSecond     = 100 // USER_HZ, the same on every Linux
	routeNextHop       = 30  // RTA_NH_ID
	protocolStatic     = 4   // RTPROT_STATIC
)

type member struct {
	id     uint32
	weight uint8 // minus one
}

// header is struct nhmsg.
type header struct{ family, protocol uint8 }

func (header) Len() int { return 8 }

func (h header) Serialize() []byte { return []byte{h.family, 0, h.protocol, 0, 0, 0, 0, 0} }

func addHop(id, link uint32, via netip.Addr) error {
	request := nl.NewNetlinkRequest(unix.RTM_NEWNEXTHOP, unix.NLM_F_ACK|unix.NLM_F_CREATE|unix.NLM_F_REPLACE)
	request.AddData(header{family(via), protocolStatic})
	request.AddData(nl.NewRtAttr(unix.NHA_ID, nl.Uint32Attr(id)))
	request.AddData(nl.NewRtAttr(unix.NHA_OIF, nl.Uint32Attr(link)))
	request.AddData(nl.NewRtAttr(unix.NHA_GATEWAY, via.AsSlice()))
	_, err := request.Execute(unix.NETLINK_ROUTE, 0)
	return err
}

func deleteHop(id uint32) error {
	request := nl.NewNetlinkRequest(unix.RTM_DELNEXTHOP, unix.NLM_F_ACK)
	request.AddData(header{})
	request.AddData(nl.NewRtAttr(unix.NHA_ID, nl.Uint32Attr(id)))
	_, err := request.Execute(unix.NETLINK_ROUTE, 0)
	return err
}

func putGroup(id uint32, members []member, resilient bool) error {
	packed := make([]byte, 0, 8*len(members)) // struct nexthop_grp each
	for _, m := range members {
		packed = binary.NativeEndian.AppendUint32(packed, m.id)
		packed = append(packed, m.weight, 0, 0, 0)
	}
	request := nl.NewNetlinkRequest(unix.RTM_NEWNEXTHOP, unix.NLM_F_ACK|unix.NLM_F_CREATE|unix.NLM_F_REPLACE)
	request.AddData(header{unix.AF_UNSPEC, protocolStatic})
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
		request.AddData(settings)
	}
	_, err := request.Execute(unix.NETLINK_ROUTE, 0)
	return err
}

func groupMembers(id uint32) ([]uint32, error) {
	request := nl.NewNetlinkRequest(unix.RTM_GETNEXTHOP, 0)
	request.AddData(header{})
	request.AddData(nl.NewRtAttr(unix.NHA_ID, nl.Uint32Attr(id)))
	messages, err := request.Execute(unix.NETLINK_ROUTE, unix.RTM_NEWNEXTHOP)
	if err != nil {
		return nil, err
	}
	var ids []uint32
	for _, message := range messages {
		more, err := parseGroup(message)
		if err != nil {
			return nil, err
		}
		ids = append(ids, more...)
	}
	return ids, nil
}

// parseGroup reads the members that a message names.
func parseGroup(message []byte) (ids []uint32, err error) {
	if len(message) < (header{}).Len() {
		return nil, fmt.Errorf("a message of next hops has %d bytes", len(message))
	}
	attributes, err := nl.ParseRouteAttr(message[header{}.Len():])
	if err != nil {
		return nil, err
	}
	for _, attribute := range attributes {
		if attribute.Attr.Type != unix.NHA_GROUP {
			continue
		}
		for packed := attribute.Value; len(packed) >= 8; packed = packed[8:] {
			ids = append(ids, binary.NativeEndian.Uint32(packed))
		}
	}
	return ids, nil
}

func replaceRoute(to netip.Prefix, group uint32) error {
	request := routeRequest(unix.RTM_NEWROUTE, unix.NLM_F_ACK|unix.NLM_F_CREATE|unix.NLM_F_REPLACE, to)
	request.AddData(nl.NewRtAttr(routeNextHop, nl.Uint32Attr(group)))
	_, err := request.Execute(unix.NETLINK_ROUTE, 0)
	return err
}

func deleteRoute(to netip.Prefix) error {
	_, err := routeRequest(unix.RTM_DELROUTE, unix.NLM_F_ACK, to).Execute(unix.NETLINK_ROUTE, 0)
	return err
}

func routeRequest(kind, flags int, to netip.Prefix) *nl.NetlinkRequest {
	request := nl.NewNetlinkRequest(kind, flags)
	message := nl.NewRtMsg()
	if kind == unix.RTM_DELROUTE {
		message = nl.NewRtDelMsg()
	}
	message.Family, message.Dst_len, message.Protocol = family(to.Addr()), uint8(to.Bits()), protocolStatic
	message.Table = unix.RT_TABLE_MAIN
	request.AddData(message)
	request.AddData(nl.NewRtAttr(unix.RTA_DST, to.Masked().Addr().AsSlice()))
	return request
}

func family(address netip.Addr) uint8 {
	if address.Is4() {
		return unix.AF_INET
	}
	return unix.AF_INET6
}
