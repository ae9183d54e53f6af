package ecmp

import (
	"net/netip"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

const (
	as          = 65021
	holdSeconds = 3 // of speakers; third-party routers have their own
	detectEvery = 100
	detectTimes = 3
)

// session is with a peer; detects enables BFD.
func session(with *agentv1.BgpPeer, detects bool) *agentv1.BgpPeer {
	with.As, with.HoldSeconds = as, holdSeconds
	if detects {
		with.DetectIntervalMs, with.DetectMultiplier = detectEvery, detectTimes
	}
	return with
}

func reflecting(router netip.Addr, detects bool) *agentv1.NodeConfig {
	return &agentv1.NodeConfig{Reflector: &agentv1.ReflectorRole{
		Accepts: []string{services.String()},
		Bgp: &agentv1.Bgp{As: as, Peers: []*agentv1.BgpPeer{
			session(&agentv1.BgpPeer{Callers: lan.String(), Client: true}, detects),
			session(&agentv1.BgpPeer{Address: router.String(), Waits: true}, false),
		}},
	}}
}

func calling(reflectors []netip.Addr, detects bool) *agentv1.Bgp {
	called := &agentv1.Bgp{As: as}
	for _, reflector := range reflectors {
		called.Peers = append(called.Peers, session(&agentv1.BgpPeer{Address: reflector.String()}, detects))
	}
	return called
}

func routing(reflectors []netip.Addr) *agentv1.NodeConfig {
	return &agentv1.NodeConfig{Router: &agentv1.RouterRole{
		Accepts: []string{services.String()}, SettleMs: 1000, Bgp: calling(reflectors, false),
	}}
}

// speaking advertises one service, which is withdrawn at once when it is removed.
func speaking(reflectors []netip.Addr, detects bool, service *agentv1.SpeakerService) *agentv1.NodeConfig {
	return &agentv1.NodeConfig{Speaker: &agentv1.SpeakerRole{
		Bgp: calling(reflectors, detects), Services: []*agentv1.SpeakerService{service},
	}}
}

// offered is a service with one probed port.
func offered(address netip.Addr, port uint32) *agentv1.SpeakerService {
	return &agentv1.SpeakerService{
		LoadBalancerId: "lb_" + address.String(), Prefix: host32(address).String(),
		Probes: []*agentv1.SpeakerProbe{{Address: address.String(), Port: port, Protocol: "tcp"}},
	}
}

func host32(address netip.Addr) netip.Prefix { return netip.PrefixFrom(address, address.BitLen()) }
