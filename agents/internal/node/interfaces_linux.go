package node

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// A balancer or a proxy may hold thousands of addresses. Those above these limits are not facts of
// the host.
const (
	addressesEach = 64
	addressesMost = 1000
)

// readInterfaces returns interfaces sorted by name, so that two readings of an unchanged host are
// equal. It needs only two dumps.
func readInterfaces(excludes func(string) bool) ([]*agentv1.NetworkInterface, error) {
	links, err := netlink.LinkList()
	if err != nil {
		return nil, fmt.Errorf("list interfaces: %w", err)
	}
	all, err := netlink.AddrList(nil, netlink.FAMILY_ALL)
	if err != nil {
		return nil, fmt.Errorf("list addresses: %w", err)
	}
	addresses := map[int][]string{}
	for _, address := range all {
		addresses[address.LinkIndex] = append(addresses[address.LinkIndex], address.IPNet.String())
	}

	room := addressesMost
	var interfaces []*agentv1.NetworkInterface
	for _, link := range links {
		attributes := link.Attrs()
		if excludes(attributes.Name) {
			continue
		}
		here := addresses[attributes.Index]
		slices.Sort(here)
		here = here[:min(len(here), addressesEach, room)]
		room -= len(here)
		interfaces = append(interfaces, &agentv1.NetworkInterface{
			Name: strings.ToValidUTF8(attributes.Name, "?"), Mac: attributes.HardwareAddr.String(), Mtu: uint32(attributes.MTU),
			Up: up(attributes), Addresses: here, SpeedBps: speedBps(attributes.Name),
		})
	}
	slices.SortFunc(interfaces, func(a, b *agentv1.NetworkInterface) int { return strings.Compare(a.Name, b.Name) })
	return interfaces[:min(len(interfaces), interfacesMost)], nil
}

// up uses the operational state if the driver reports one; loopback and some tunnels are always
// "unknown".
func up(attributes *netlink.LinkAttrs) bool {
	if attributes.OperState == netlink.OperUnknown {
		return attributes.RawFlags&unix.IFF_UP != 0
	}
	return attributes.OperState == netlink.OperUp
}

// speedBps is 0 if unknown: the file can't be read while the link is down, and virtual interfaces
// return -1.
func speedBps(name string) uint64 {
	text, err := os.ReadFile(filepath.Join("/sys/class/net", name, "speed"))
	if err != nil {
		return 0
	}
	megabits, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 32)
	if err != nil || megabits <= 0 {
		return 0
	}
	return uint64(megabits) * 1_000_000
}
