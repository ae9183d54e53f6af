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
	liars        = 20 // addresses that one calls from
	callsOfEach  = 8
	openType     = 1
	updateType   = 2
	headerLength = 19
)

// What peers say is not ours to choose. Whatever it is, the process lives, no connection or route of it stays, and
// sessions with others don't notice. Of an address that called and never became a peer, gobgp waits for more with two
// goroutines; what it keeps is by address and not by call.
func TestMalformedBGPHarmsNobodyElse(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, 2, 1)
	liar := n.lan.Add(t, "liar")
	n.up(t)
	reflector := n.reflectors[0]
	before := steady(t, reflector)
	takeAll(t, reflector)

	seed := rand.Uint64()
	t.Logf("the seed is %d", seed) // printed when it fails
	lies := rand.New(rand.NewPCG(seed, 0))
	var calls sync.WaitGroup
	for i := range liars {
		address := netip.AddrFrom4([4]byte{10, 79, 0, byte(100 + i)})
		if err := liar.Space.AddAddress(bgptest.Interface, netip.PrefixFrom(address, 24)); err != nil {
			t.Fatal(err)
		}
		var conversations [][][]byte
		for range callsOfEach {
			conversations = append(conversations, conversation(t, lies, address))
		}
		calls.Go(func() {
			for _, messages := range conversations {
				speak(liar, address, reflector.Host.IPv4, messages)
			}
		})
	}
	calls.Wait()

	n.goesBy(t, n.speakers...)
	for _, process := range append(slices.Clone(n.speakers), n.router) {
		if session := sessionWith(t, reflector, process.Host.IPv4); session.State != bgp.Established || session.Ups != 1 {
			t.Errorf("the session with %s is %+v", process.Host.Name, session)
		}
	}
	// What the last of them said goes with its session, and takes its way to the router.
	for _, lie := range slices.Concat(lies4, lies6) {
		var hops []netip.Addr
		var err error
		waitFor(t, func() bool {
			hops, err = n.router.Hops(netip.MustParsePrefix(lie))
			return err == nil && len(hops) == 0
		}, func() string { return fmt.Sprintf("a lie stays: %s by %v, %v", lie, hops, err) })
	}
	took, err := reflector.Take()
	if err != nil {
		t.Fatal(err)
	}
	news := events.Events{Log: slog.New(slog.DiscardHandler)}
	message.Say(&news, took)
	if !slices.ContainsFunc(news.Take(), func(event *agentv1.AgentEvent) bool {
		return event.GetWarning() && event.GetReason() == message.SessionDown && strings.Contains(event.GetMessage(), "with 10.79.0.1") &&
			strings.Contains(event.GetMessage(), "what is no BGP")
	}) {
		t.Errorf("nobody is told of it: %+v", took.Sessions)
	}
	var after bgptest.Held
	waitFor(t, func() bool {
		after, err = reflector.Holds()
		return err == nil && after.Goroutines <= before.Goroutines+2*liars && after.Files <= before.Files+1
	}, func() string {
		return fmt.Sprintf("before it held %+v, and after %d calls %+v, %v", before, liars*callsOfEach, after, err)
	})
}

// Routes that a liar tells of.
var (
	lies4 = []string{"203.0.113.66/32", "198.51.100.66/32"}
	lies6 = []string{"2001:db8:113::66/128", "2001:db8:666::/64"}
)

// steady is what a process holds once what begins has begun: the same for a while.
func steady(t *testing.T, process *bgptest.Process) (held bgptest.Held) {
	t.Helper()
	const asked = 100
	same := 0
	waitFor(t, func() bool {
		now, err := process.Holds()
		if err != nil {
			t.Fatal(err)
		}
		if same++; now != held {
			held, same = now, 0
		}
		return same == asked
	}, func() string { return fmt.Sprintf("it holds %+v, and soon something else", held) })
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

// speak says everything, and listens until it is hung up on, or a moment.
func speak(from *bgptest.Host, source, to netip.Addr, messages [][]byte) {
	var conn net.Conn
	err := from.Space.Do(func() (err error) {
		dialer := net.Dialer{LocalAddr: net.TCPAddrFromAddrPort(netip.AddrPortFrom(source, 0)), Timeout: time.Second}
		conn, err = dialer.Dial("tcp", netip.AddrPortFrom(to, 179).String())
		return err
	})
	if err != nil {
		return // it is not let in again yet
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(400 * time.Millisecond))
	for _, message := range messages {
		if _, err := conn.Write(message); err != nil {
			return
		}
		time.Sleep(20 * time.Millisecond) // an answer is what makes the next one an update, not a second greeting
	}
	_, _ = io.Copy(io.Discard, conn)
}

// conversation begins as BGP does and goes wrong somewhere: in one of its messages, in several, or in none.
func conversation(t *testing.T, lies *rand.Rand, address netip.Addr) (messages [][]byte) {
	t.Helper()
	open := greeting(t, address)
	hop, err := packet.NewPathAttributeNextHop(address)
	if err != nil {
		t.Fatal(err)
	}
	reach, err := packet.NewPathAttributeMpReachNLRI(packet.RF_IPv6_UC, routesTo(t, lies6), netip.MustParseAddr("fd79::66"))
	if err != nil {
		t.Fatal(err)
	}
	usual := []packet.PathAttributeInterface{packet.NewPathAttributeOrigin(0), packet.NewPathAttributeAsPath(nil), packet.NewPathAttributeLocalPref(100)}
	update := packet.NewBGPUpdateMessage(nil, append(slices.Clone(usual), hop), routesTo(t, lies4))
	update6 := packet.NewBGPUpdateMessage(nil, append(slices.Clone(usual), reach), nil)
	for _, message := range []*packet.BGPMessage{open, packet.NewBGPKeepAliveMessage(), update, update6, packet.NewBGPNotificationMessage(6, 2, []byte("bye"))} {
		whole, err := message.Serialize()
		if err != nil {
			t.Fatal(err)
		}
		messages = append(messages, whole)
	}
	wrong := lies.IntN(len(messages))
	messages[wrong] = lie(lies, messages[wrong])
	if lies.IntN(3) == 0 {
		messages[2], messages[3] = lie(lies, messages[2]), lie(lies, messages[3])
	}
	return messages
}

// greeting is how one whose router ID is an address begins.
func greeting(t *testing.T, address netip.Addr) *packet.BGPMessage {
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

// lie changes a message in one of the ways that a message can be wrong.
func lie(lies *rand.Rand, message []byte) []byte {
	message = slices.Clone(message)
	switch lies.IntN(7) {
	case 0: // the marker
		message[lies.IntN(16)] = byte(lies.IntN(255))
	case 1: // the length: none, too short, too long, beyond what is allowed
		binary.BigEndian.PutUint16(message[16:], uint16([]int{0, headerLength - 1, len(message) + 7, 4097, 65535}[lies.IntN(5)]))
	case 2: // the type
		message[18] = byte([]int{0, openType, updateType, 6, 255}[lies.IntN(5)])
	case 3: // cut off, and its length says so
		message = message[:headerLength+lies.IntN(len(message)-headerLength+1)]
		binary.BigEndian.PutUint16(message[16:], uint16(len(message)))
	case 4: // more behind it
		message = append(message, []byte(strings.Repeat("\xff", 1+lies.IntN(64)))...)
		binary.BigEndian.PutUint16(message[16:], uint16(len(message)))
	default: // anything inside
		for range 1 + lies.IntN(4) {
			if inside := len(message) - headerLength; inside > 0 {
				message[headerLength+lies.IntN(inside)] = byte(lies.IntN(256))
			}
		}
	}
	return message
}
