package gobgp_test

import (
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	packet "github.com/osrg/gobgp/v4/pkg/packet/bgp"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/bgptest"
	"fairlead.dev/agents/internal/bgp/message"
	"fairlead.dev/agents/internal/events"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

const (
	invalidPeers = 20 // source addresses of the invalid peers
	callsOfEach  = 8
	openType     = 1
	updateType   = 2
	headerLength = 19
)

// Whatever peers send, the process survives, keeps no connection or route of it, and sessions with
// other peers are unaffected. For each address that connected and never became a peer, gobgp keeps
// two goroutines; these are per address, not per connection.
func TestMalformedBGPAffectsNoOtherPeer(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, 2, 1)
	sender := n.lan.Add(t, "sender")
	n.up(t)
	reflector := n.reflectors[0]
	before := steady(t, reflector)
	takeAll(t, reflector)

	seed := rand.Uint64()
	t.Logf("the seed is %d", seed) // logged for a failed run
	random := rand.New(rand.NewPCG(seed, 0))
	var calls sync.WaitGroup
	for i := range invalidPeers {
		address := netip.AddrFrom4([4]byte{10, 79, 0, byte(100 + i)})
		if err := sender.Space.AddAddress(bgptest.Interface, netip.PrefixFrom(address, 24)); err != nil {
			t.Fatal(err)
		}
		var conversations [][][]byte
		for range callsOfEach {
			conversations = append(conversations, conversation(t, random, address))
		}
		calls.Go(func() {
			for _, messages := range conversations {
				speak(sender, address, reflector.Host.IPv4, messages)
			}
		})
	}
	calls.Wait()

	n.goesBy(t, n.speakers...)
	for _, process := range append(slices.Clone(n.speakers), n.router) {
		if session := sessionWith(t, reflector, process.Host.IPv4); session.State != bgp.Established || session.EstablishedCount != 1 {
			t.Errorf("the session with %s is %+v", process.Host.Name, session)
		}
	}
	// The last announcements are removed with their session, and are withdrawn from the router.
	for _, route := range slices.Concat(invalid4, invalid6) {
		var hops []netip.Addr
		var err error
		waitFor(t, func() bool {
			hops, err = n.router.Hops(netip.MustParsePrefix(route))
			return err == nil && len(hops) == 0
		}, func() string { return fmt.Sprintf("an announcement is left: %s via %v, %v", route, hops, err) })
	}
	took, err := reflector.Take()
	if err != nil {
		t.Fatal(err)
	}
	news := events.Events{Log: slog.New(slog.DiscardHandler)}
	message.Record(&news, took)
	if !slices.ContainsFunc(news.Take(), func(event *agentv1.AgentEvent) bool {
		return event.GetWarning() && event.GetReason() == message.SessionDown && strings.Contains(event.GetMessage(), "with 10.79.0.1") &&
			strings.Contains(event.GetMessage(), "invalid BGP message")
	}) {
		t.Errorf("the invalid message is not reported: %+v", took.Sessions)
	}
	var after bgptest.Held
	waitFor(t, func() bool {
		after, err = reflector.CountHeld()
		return err == nil && after.Goroutines <= before.Goroutines+2*invalidPeers && after.Files <= before.Files+1
	}, func() string {
		return fmt.Sprintf("before: %+v, after %d connections: %+v, %v", before, invalidPeers*callsOfEach, after, err)
	})
}

// Routes that an invalid peer announces.
var (
	invalid4 = []string{"203.0.113.66/32", "198.51.100.66/32"}
	invalid6 = []string{"2001:db8:113::66/128", "2001:db8:666::/64"}
)

// steady waits until the resources of a process stop changing, and returns them.
func steady(t *testing.T, process *bgptest.Process) (held bgptest.Held) {
	t.Helper()
	const polls = 100
	same := 0
	waitFor(t, func() bool {
		now, err := process.CountHeld()
		if err != nil {
			t.Fatal(err)
		}
		if same++; now != held {
			held, same = now, 0
		}
		return same == polls
	}, func() string { return fmt.Sprintf("still changing: %+v", held) })
	return held
}

func routesTo(t *testing.T, prefixes []string) (routes []packet.PathNLRI) {
	t.Helper()
	for _, text := range prefixes {
		route, err := packet.NewIPAddrPrefix(netip.MustParsePrefix(text))
		if err != nil {
			t.Fatal(err)
		}
		routes = append(routes, packet.PathNLRI{NLRI: route})
	}
	return routes
}

// speak sends all messages, and reads until the connection closes or a short time has passed.
func speak(from *bgptest.Host, source, to netip.Addr, messages [][]byte) {
	var conn net.Conn
	err := from.Space.Do(func() (err error) {
		dialer := net.Dialer{LocalAddr: net.TCPAddrFromAddrPort(netip.AddrPortFrom(source, 0)), Timeout: time.Second}
		conn, err = dialer.Dial("tcp", netip.AddrPortFrom(to, 179).String())
		return err
	})
	if err != nil {
		return // still blocked
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(400 * time.Millisecond))
	for _, message := range messages {
		if _, err := conn.Write(message); err != nil {
			return
		}
		time.Sleep(20 * time.Millisecond) // without a reply first, the next message would count as a second OPEN
	}
	_, _ = io.Copy(io.Discard, conn)
}

// conversation starts as valid BGP. One message, several or none are corrupted.
func conversation(t *testing.T, random *rand.Rand, address netip.Addr) (messages [][]byte) {
	t.Helper()
	open := openMessage(t, address)
	hop, err := packet.NewPathAttributeNextHop(address)
	if err != nil {
		t.Fatal(err)
	}
	reach, err := packet.NewPathAttributeMpReachNLRI(packet.RF_IPv6_UC, routesTo(t, invalid6), netip.MustParseAddr("fd79::66"))
	if err != nil {
		t.Fatal(err)
	}
	usual := []packet.PathAttributeInterface{packet.NewPathAttributeOrigin(0), packet.NewPathAttributeAsPath(nil), packet.NewPathAttributeLocalPref(100)}
	update := packet.NewBGPUpdateMessage(nil, append(slices.Clone(usual), hop), routesTo(t, invalid4))
	update6 := packet.NewBGPUpdateMessage(nil, append(slices.Clone(usual), reach), nil)
	for _, message := range []*packet.BGPMessage{open, packet.NewBGPKeepAliveMessage(), update, update6, packet.NewBGPNotificationMessage(6, 2, []byte("bye"))} {
		whole, err := message.Serialize()
		if err != nil {
			t.Fatal(err)
		}
		messages = append(messages, whole)
	}
	wrong := random.IntN(len(messages))
	messages[wrong] = corrupt(random, messages[wrong])
	if random.IntN(3) == 0 {
		messages[2], messages[3] = corrupt(random, messages[2]), corrupt(random, messages[3])
	}
	return messages
}

// openMessage is the OPEN message of a peer with this router ID.
func openMessage(t *testing.T, address netip.Addr) *packet.BGPMessage {
	t.Helper()
	open, err := packet.NewBGPOpenMessage(bgptest.AS, 9, address, []packet.OptionParameterInterface{
		packet.NewOptionParameterCapability([]packet.ParameterCapabilityInterface{
			packet.NewCapMultiProtocol(packet.RF_IPv4_UC), packet.NewCapMultiProtocol(packet.RF_IPv6_UC), packet.NewCapFourOctetASNumber(bgptest.AS),
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	return open
}

// corrupt corrupts a message in one of the possible ways.
func corrupt(random *rand.Rand, message []byte) []byte {
	message = slices.Clone(message)
	switch random.IntN(7) {
	case 0: // the marker
		message[random.IntN(16)] = byte(random.IntN(255))
	case 1: // the length: zero, too short, too long, above the maximum
		binary.BigEndian.PutUint16(message[16:], uint16([]int{0, headerLength - 1, len(message) + 7, 4097, 65535}[random.IntN(5)]))
	case 2: // the type
		message[18] = byte([]int{0, openType, updateType, 6, 255}[random.IntN(5)])
	case 3: // truncated, with a matching length
		message = message[:headerLength+random.IntN(len(message)-headerLength+1)]
		binary.BigEndian.PutUint16(message[16:], uint16(len(message)))
	case 4: // extra bytes at the end
		message = append(message, []byte(strings.Repeat("\xff", 1+random.IntN(64)))...)
		binary.BigEndian.PutUint16(message[16:], uint16(len(message)))
	default: // any byte of the body
		for range 1 + random.IntN(4) {
			if inside := len(message) - headerLength; inside > 0 {
				message[headerLength+random.IntN(inside)] = byte(random.IntN(256))
			}
		}
	}
	return message
}
