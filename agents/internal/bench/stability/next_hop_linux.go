package stability

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"

	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"
)

// From linux/rtnetlink.h, missing in x/sys.
const (
	attributeProtocol        = 27 // RTA_IP_PROTO
	attributeSourcePort      = 28 // RTA_SPORT
	attributeDestinationPort = 29 // RTA_DPORT
)

// routeQuery is a struct rtmsg that queries a single IPv4 address, from a single source.
type routeQuery struct{}

func (routeQuery) Len() int { return 12 }

func (routeQuery) Serialize() []byte { return []byte{unix.AF_INET, 32, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0} }

// nextHopOf returns the kernel's next hop for a packet received on an interface. The kernel builds such a packet
// and does the same lookup as for a real one.
func nextHopOf(protocol uint8, from, to netip.AddrPort, receivedOn int) (netip.Addr, error) {
	port := func(of netip.AddrPort) []byte { return binary.BigEndian.AppendUint16(nil, of.Port()) }
	request := nl.NewNetlinkRequest(unix.RTM_GETROUTE, unix.NLM_F_REQUEST)
	request.AddData(routeQuery{})
	for kind, value := range map[int][]byte{
		unix.RTA_SRC: from.Addr().AsSlice(), unix.RTA_DST: to.Addr().AsSlice(), unix.RTA_IIF: nl.Uint32Attr(uint32(receivedOn)),
		attributeProtocol: {protocol}, attributeSourcePort: port(from), attributeDestinationPort: port(to),
	} {
		request.AddData(nl.NewRtAttr(kind, value))
	}
	messages, err := request.Execute(unix.NETLINK_ROUTE, unix.RTM_NEWROUTE)
	if err != nil {
		return netip.Addr{}, fmt.Errorf("query the route to %s from %s: %w", to, from, err)
	}
	for _, message := range messages {
		if len(message) < (routeQuery{}).Len() {
			continue
		}
		attributes, err := nl.ParseRouteAttr(message[routeQuery{}.Len():])
		if err != nil {
			return netip.Addr{}, err
		}
		for _, attribute := range attributes {
			if attribute.Attr.Type == unix.RTA_GATEWAY {
				via, _ := netip.AddrFromSlice(attribute.Value)
				return via, nil
			}
		}
	}
	return netip.Addr{}, errors.New("the kernel named no next hop")
}
