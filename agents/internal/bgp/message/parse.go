package message

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"fairlead.dev/agents/internal/bgp"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/hostaddress"
)

const (
	holdDefault       = 9
	retryDefault      = 1
	multiplierDefault = 3
	maxPeers          = 1000
	maxPrefixes       = 10_000
)

// ParseBgp parses the settings that all roles share. The role completes each peer with what is
// advertised to it. Addresses are those of this host.
func ParseBgp(message *agentv1.Bgp, addresses hostaddress.Addresses, complete func(*bgp.Peer, *agentv1.BgpPeer)) (parsed bgp.Desired, err error) {
	parsed.AS = message.GetAs()
	if parsed.RouterID, err = routerID(message.GetRouterId(), addresses); err != nil {
		return parsed, err
	}
	if got := len(message.GetPeers()); got > maxPeers {
		return parsed, fmt.Errorf("%d peers are too many; use at most %d, and prefixes of callers for the rest", got, maxPeers)
	}
	for _, one := range message.GetPeers() {
		peer, err := parsePeer(one)
		if err != nil {
			return parsed, fmt.Errorf("peer %s: %w", cmp.Or(one.GetAddress(), one.GetCallers(), "without a name"), err)
		}
		complete(&peer, one)
		parsed.Peers = append(parsed.Peers, peer)
		if (peer.Callers.IsValid() || peer.Waits) && parsed.Listens == nil {
			parsed.Listens = addresses.All()
		}
	}
	slices.SortStableFunc(parsed.Peers, func(a, b bgp.Peer) int { return cmp.Compare(a.Name(), b.Name()) })
	return parsed, nil
}

func routerID(text string, addresses hostaddress.Addresses) (netip.Addr, error) {
	if text != "" {
		id, err := netip.ParseAddr(text)
		if err != nil || !id.Is4() {
			return id, fmt.Errorf("router ID %q is not an IPv4 address; use one, or leave it empty for the host's", text)
		}
		return id, nil
	}
	if !addresses.IPv4.IsValid() {
		return netip.Addr{}, fmt.Errorf("router ID is missing, and the host has no IPv4 address to use instead; set one")
	}
	return addresses.IPv4, nil
}

func parsePeer(message *agentv1.BgpPeer) (peer bgp.Peer, err error) {
	if message.GetAddress() != "" {
		if peer.Address, err = netip.ParseAddr(message.GetAddress()); err != nil {
			return peer, fmt.Errorf("%q is not an address; use the one that the peer listens on", message.GetAddress())
		}
	}
	if message.GetCallers() != "" {
		if peer.Callers, err = netip.ParsePrefix(message.GetCallers()); err != nil {
			return peer, fmt.Errorf("%q is not a prefix; use the one that peers connect from, such as 10.0.0.0/24", message.GetCallers())
		}
	}
	peer.AS, peer.Waits = message.GetAs(), message.GetWaits()
	peer.Password, peer.NearOnly = bgp.Secret(message.GetPassword()), message.GetNearOnly()
	peer.MostRoutes, peer.Description = message.GetMostRoutes(), message.GetDescription()
	hold := cmp.Or(message.GetHoldSeconds(), holdDefault)
	peer.Timers = bgp.Timers{
		Hold:      seconds(hold),
		KeepAlive: seconds(cmp.Or(message.GetKeepAliveSeconds(), hold/3)),
		Retry:     seconds(cmp.Or(message.GetRetrySeconds(), retryDefault)),
	}
	if message.GetDetectIntervalMs() == 0 {
		return peer, nil
	}
	multiplier := cmp.Or(message.GetDetectMultiplier(), multiplierDefault)
	if multiplier > 255 {
		return peer, fmt.Errorf("detection by BFD: a multiplier of %d is too large; use 2 to 255", multiplier)
	}
	peer.Detection = bgp.Detection{Interval: time.Duration(message.GetDetectIntervalMs()) * time.Millisecond, Multiplier: uint8(multiplier)}
	return peer, nil
}

func seconds(number uint32) time.Duration { return time.Duration(number) * time.Second }

// ParsePrefixes parses, sorts and deduplicates prefixes.
func ParsePrefixes(texts []string) (prefixes []netip.Prefix, err error) {
	if len(texts) > maxPrefixes {
		return nil, fmt.Errorf("%d accepted prefixes are too many; use at most %d wider ones", len(texts), maxPrefixes)
	}
	for _, text := range texts {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("accepted prefix %q is not valid; use one such as 203.0.113.0/24", text)
		}
		prefixes = append(prefixes, prefix)
	}
	slices.SortFunc(prefixes, netip.Prefix.Compare)
	return slices.Compact(prefixes), nil
}

// ParseCommunities parses the usual notation of routers.
func ParseCommunities(texts []string) (communities []bgp.Community, err error) {
	for _, text := range texts {
		high, low, colon := strings.Cut(text, ":")
		first, err1 := strconv.ParseUint(high, 10, 16)
		second, err2 := strconv.ParseUint(low, 10, 16)
		if !colon || err1 != nil || err2 != nil {
			return nil, fmt.Errorf("community %q is not valid; use two numbers up to 65535, such as 65021:100", text)
		}
		communities = append(communities, bgp.Community(first<<16|second))
	}
	slices.Sort(communities)
	return slices.Compact(communities), nil
}
