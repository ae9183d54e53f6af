package companion

import (
	"encoding/binary"
	"net"
	"net/netip"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/session/cookie"
	"fairlead.dev/agents/internal/session/message"
)

var finds = netip.MustParseAddrPort("192.0.2.1:443")

// beganBy returns a packet with a reply that begins a session of TLS 1.2.
func beganBy(id [message.IDBytes]byte) []byte {
	body := slices.Concat([]byte{3, 3}, make([]byte, 32), []byte{message.IDBytes}, id[:], []byte{0xc0, 0x2f, 0})
	size := byte(len(body))
	reply := slices.Concat([]byte{22, 3, 3, 0, size + 4, 2, 0, 0, size}, body)
	ip := make([]byte, 20, 40+len(reply))
	ip[0], ip[8], ip[9] = 0x45, 64, 6
	binary.BigEndian.PutUint16(ip[2:], uint16(cap(ip)))
	copy(ip[12:], finds.Addr().AsSlice())
	copy(ip[16:], []byte{198, 51, 100, 1})
	tcp := make([]byte, 20)
	binary.BigEndian.PutUint16(tcp, finds.Port())
	binary.BigEndian.PutUint16(tcp[2:], 40000)
	tcp[12], tcp[13] = 5<<4, 0x18
	return slices.Concat(make([]byte, 12), []byte{8, 0}, ip, tcp, reply)
}

func idNumbered(n int) (id [message.IDBytes]byte) {
	binary.BigEndian.PutUint32(id[:], uint32(n)+1)
	return id
}

// accompanied starts a companion of a service.
func accompanied(t *testing.T, space *netspace.Space) (*Companion, cookie.Keys) {
	t.Helper()
	var c *Companion
	must(t, space.Do(func() (err error) {
		c, err = Open("eth0", netip.MustParseAddrPort("10.9.0.1:7001"))
		return err
	}))
	t.Cleanup(func() { _ = c.Close() })
	keys, err := cookie.Derive([]byte("the key of a cluster"), "exposure")
	must(t, err)
	must(t, c.Set([]Service{{Address: finds, Backend: "a", Number: 1, Keys: cookie.Set{Current: keys}}}))
	return c, keys
}

func (c *Companion) sees(t *testing.T, reply []byte) {
	t.Helper()
	_, err := c.collection.Programs[program.CompanionProgLearnSession].Run(&ebpf.RunOptions{Data: reply})
	must(t, err)
}

// Only servers add ids, so they have another limit than what anyone can forge.
func TestABurstOfNewSessionsIsLearned(t *testing.T) {
	c, _ := accompanied(t, host(t))
	const sessions = 4 * int(program.SessionSessionLimitsSESSION_ALLOWED)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var all, one unix.CPUSet
	must(t, unix.SchedGetaffinity(0, &all))
	for cpu := 0; one.Count() == 0; cpu++ {
		if all.IsSet(cpu) {
			one.Set(cpu)
		}
	}
	must(t, unix.SchedSetaffinity(0, &one)) // the limit is of each CPU
	defer func() { must(t, unix.SchedSetaffinity(0, &all)) }()
	for n := range sessions {
		if c.sees(t, beganBy(idNumbered(n))); n%500 == 0 {
			c.awaitRead(t)
		}
	}
	c.awaitRead(t)
	if counts, err := c.Observe(); err != nil || counts.Learnt != uint64(sessions) {
		t.Errorf("%d of %d, %v", counts.Learnt, sessions, err)
	}
	if p := c.began.find(c.serviceAt(finds), idNumbered(sessions-1), time.Now()); p.Kind != message.HasID {
		t.Error("the last one is unknown")
	}
}

// awaitRead waits until all events are read.
func (c *Companion) awaitRead(t *testing.T) {
	t.Helper()
	read := make(chan struct{})
	if !c.events.After(func() { close(read) }) {
		t.Fatal("the events are closed")
	}
	<-read
}

// A client can return before this process has read that its session began.
func TestAnAnswerFollowsTheEventsBeforeItsRequest(t *testing.T) {
	space := host(t)
	c, keys := accompanied(t, space)
	var replica *net.UDPConn
	must(t, space.Do(func() (err error) {
		replica, err = net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.MustParseAddrPort("10.9.0.1:7002")))
		return err
	}))
	defer replica.Close()
	const events, unknown = 300, 1 << 20
	for round := range 3 {
		c.began.mutex.Lock() // so that no event is handled
		first := round * events
		for n := range events {
			c.sees(t, beganBy(idNumbered(first+n)))
		}
		want := map[[message.IDBytes]byte]message.Kind{idNumbered(first + events - 1): message.HasID, idNumbered(first): message.HasID, idNumbered(unknown): message.HasNotID}
		for id := range want {
			sealed := message.Seal(keys.Message, time.Now(), message.Message{Kind: message.FindID, Service: finds, IDs: [][message.IDBytes]byte{id}})
			_, err := replica.WriteToUDPAddrPort(sealed, c.Listens())
			must(t, err)
		}
		time.Sleep(20 * time.Millisecond) // with time to answer too early
		c.began.mutex.Unlock()
		must(t, replica.SetReadDeadline(time.Now().Add(10*time.Second)))
		buffer := make([]byte, 2048)
		for range want {
			size, err := replica.Read(buffer)
			must(t, err)
			m, err := message.Open(keys.Message, time.Now(), buffer[:size])
			must(t, err)
			if len(m.IDs) != 1 || m.Kind != want[m.IDs[0]] || m.Backend != "a" || m.Service != finds || len(m.Ages) > 0 && m.Ages[0] > time.Minute {
				t.Errorf("%+v", m)
			}
		}
	}
	if counts, err := c.Observe(); err != nil || counts.Learnt != 3*events {
		t.Errorf("the program wrote %d events, %v", counts.Learnt, err)
	}
}
