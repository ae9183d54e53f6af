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
	peersMost         = 1000
	prefixesMost      = 10_000
)

// ParseBgp takes what all roles have in common. What a peer is given is up to the role, which
// completes each. Addresses are those of this host.
func ParseBgp(message *agentv1.Bgp, addresses hostaddress.Addresses, complete func(*bgp.Peer, *agentv1.BgpPeer)) (parsed bgp.Desired, err error) {
	parsed.AS = message.GetAs()
	if parsed.RouterID, err = routerID(message.GetRouterId(), addresses); err != nil {
		return parsed, err
	}
	if got := len(message.GetPeers()); got > peersMost {
		return parsed, fmt.Errorf("%d peers are too many; give at most %d, and prefixes that others call from", got, peersMost)
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
			return id, fmt.Errorf("router ID %q is no IPv4 address; give one, or none for the host's", text)
		}
		return id, nil
	}
	if !addresses.IPv4.IsValid() {
		return netip.Addr{}, fmt.Errorf("router ID is missing, and the host has no IPv4 address to take its place; give one")
	}
	return addresses.IPv4, nil
}

func parsePeer(message *agentv1.BgpPeer) (peer bgp.Peer, err error) {
	if message.GetAddress() != "" {
		if peer.Address, err = netip.ParseAddr(message.GetAddress()); err != nil {
			return peer, fmt.Errorf("%q is no address; give that at which the peer answers", message.GetAddress())
		}
	}
	if message.GetCallers() != "" {
		if peer.Callers, err = netip.ParsePrefix(message.GetCallers()); err != nil {
			return peer, fmt.Errorf("%q is no prefix; give that which peers call from, as 10.0.0.0/24", message.GetCallers())
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
		return peer, fmt.Errorf("detection by BFD: a multiplier of %d is too great; give 2 to 255", multiplier)
	}
	peer.Detection = bgp.Detection{Interval: time.Duration(message.GetDetectIntervalMs()) * time.Millisecond, Multiplier: uint8(multiplier)}
	return peer, nil
}

func seconds(number uint32) time.Duration { return time.Duration(number) * time.Second }

// ParsePrefixes sorts them.
func ParsePrefixes(texts []string) (prefixes []netip.Prefix, err error) {
	if len(texts) > prefixesMost {
		return nil, fmt.Errorf("%d accepted prefixes are too many; give at most %d, and wider ones", len(texts), prefixesMost)
	}
	for _, text := range texts {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("accepted prefix %q is none; give one such as 203.0.113.0/24", text)
		}
		prefixes = append(prefixes, prefix)
	}
	slices.SortFunc(prefixes, netip.Prefix.Compare)
	return slices.Compact(prefixes), nil
}

// ParseCommunities takes them as routers write them.
func ParseCommunities(texts []string) (communities []bgp.Community, err error) {
	for _, text := range texts {
		high, low, colon := strings.Cut(text, ":")
		first, err1 := strconv.ParseUint(high, 10, 16)
		second, err2 := strconv.ParseUint(low, 10, 16)
		if !colon || err1 != nil || err2 != nil {
			return nil, fmt.Errorf("community %q is none; give two numbers up to 65535, as 65021:100", text)
		}
		communities = append(communities, bgp.Community(first<<16|second))
	}
	slices.Sort(communities)
	return slices.Compact(communities), nil
}
