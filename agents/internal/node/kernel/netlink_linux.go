package kernel

import (
	"errors"
	"fmt"
	"slices"

	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/genetlink"
)

// probeIPVS looks for the kernel's netlink family in the list of all families. Querying it by name
// would load the module, and a probe changes nothing.
func probeIPVS() Feature {
	const name = "ipvs"
	families, err := genetlink.Families()
	if err != nil {
		return missing(name, fmt.Sprintf("The kernel's netlink families can't be listed: %v.", err))
	}
	if slices.Contains(families, "IPVS") {
		return available(name)
	}
	return missing(name, "The kernel module ip_vs is not loaded; \"modprobe ip_vs\" loads it where the kernel has it.")
}

// probeNFTables reads the generation of the rule set.
func probeNFTables() Feature {
	const name = "nftables"
	request := nl.NewNetlinkRequest(unix.NFNL_SUBSYS_NFTABLES<<8|unix.NFT_MSG_GETGEN, 0)
	request.AddData(&nl.Nfgenmsg{NfgenFamily: unix.AF_UNSPEC, Version: unix.NFNETLINK_V0})
	_, err := request.Execute(unix.NETLINK_NETFILTER, 0)
	switch {
	case err == nil:
		return available(name)
	case denied(err):
		return missing(name, "Reading nftables needs the capability CAP_NET_ADMIN (or root).")
	}
	return missing(name, fmt.Sprintf("This kernel has no nf_tables: %v.", err))
}

// probeResilientNextHops lists the buckets of resilient groups: older kernels don't support the
// message. Usually the list is empty.
func probeResilientNextHops() Feature {
	const name = "resilient-next-hops"
	request := nl.NewNetlinkRequest(unix.RTM_GETNEXTHOPBUCKET, unix.NLM_F_DUMP)
	request.AddData(&nextHopMessage{})
	_, err := request.Execute(unix.NETLINK_ROUTE, 0)
	switch {
	case err == nil:
		return available(name)
	case denied(err):
		return missing(name, "Reading next-hop groups is not permitted here.")
	case errors.Is(err, unix.EOPNOTSUPP):
		return missing(name, "This kernel has no resilient next-hop groups; they came with Linux 5.13.")
	}
	return missing(name, fmt.Sprintf("Next-hop groups can't be read: %v.", err))
}

// nextHopMessage is struct nhmsg, all zero: any family, any next hop.
type nextHopMessage struct{}

func (*nextHopMessage) Len() int          { return 8 }
func (*nextHopMessage) Serialize() []byte { return make([]byte, 8) }
