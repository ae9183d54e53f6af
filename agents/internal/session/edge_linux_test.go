package session_test

import (
	"bufio"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"net"
	"net/netip"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/checksum"
	"fairlead.dev/agents/internal/rawip"
	"fairlead.dev/agents/internal/session/cookie"
)

// A connection without a backend, as after its server was restarted, ends at once. The client's
// socket is made by hand: its replica and the servers have never seen it.
func TestAConnectionWithoutABackendIsReset(t *testing.T) {
	l := newLab(t, datapath.Direct, nginx)
	for _, address := range addresses {
		conn := l.invented(t, netip.AddrPortFrom(address, port))
		began := time.Now()
		must(t, conn.SetDeadline(began.Add(patience)))
		_, err := conn.Write([]byte("hello"))
		if err == nil {
			_, err = conn.Read(make([]byte, 1))
		}
		if !errors.Is(err, unix.ECONNRESET) {
			l.logCounts(t)
			t.Errorf("%s: %v", address, err)
		}
		// A second is the promise; a busy machine needs more. Parts of hellos wait for two.
		if took := time.Since(began); took >= 2*time.Second {
			t.Errorf("%s: reset after %s", address, took)
		}
	}
}

// invented returns a connected socket that has no peer.
func (l *lab) invented(t *testing.T, to netip.AddrPort) net.Conn {
	t.Helper()
	var file *os.File
	must(t, l.network.Client.Do(func() error {
		family, peer := unix.AF_INET6, unix.Sockaddr(&unix.SockaddrInet6{Port: int(to.Port()), Addr: to.Addr().As16()})
		if to.Addr().Is4() {
			family, peer = unix.AF_INET, &unix.SockaddrInet4{Port: int(to.Port()), Addr: to.Addr().As4()}
		}
		socket, err := unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			return err
		}
		file = os.NewFile(uintptr(socket), "socket")
		return errors.Join(
			unix.SetsockoptInt(socket, unix.IPPROTO_TCP, unix.TCP_REPAIR, 1),
			unix.Connect(socket, peer),
			unix.SetsockoptInt(socket, unix.IPPROTO_TCP, unix.TCP_REPAIR, 0),
			unix.SetNonblock(socket, true),
		)
	}))
	defer file.Close()
	conn, err := net.FileConn(file)
	must(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func TestAClientMayLeaveBeforeItsHello(t *testing.T) {
	l := newLab(t, datapath.Direct, nginx)
	for family := range addresses {
		conn, err := l.network.Client.Dial(t.Context(), "tcp", at(family))
		must(t, err)
		defer conn.Close()
		half, ok := conn.(*net.TCPConn)
		if !ok {
			t.Fatalf("%T has no TCP", conn)
		}
		must(t, errors.Join(half.CloseWrite(), conn.SetDeadline(time.Now().Add(patience))))
		if _, err := conn.Read(make([]byte, 1)); !errors.Is(err, unix.ECONNRESET) {
			l.logCounts(t)
			t.Errorf("%s: %v", nameOf(family), err)
		}
	}
}

// A cookie has no room for ECN, so the answer declines it.
func TestAClientMayOfferECN(t *testing.T) {
	const ecn = 8 // of TCP_INFO's options
	l := newLab(t, datapath.Direct, nginx)
	must(t, l.network.Client.SetSysctl("net/ipv4/tcp_ecn", "1"))
	for family := range addresses {
		conn, err := l.network.Client.Dial(t.Context(), "tcp", at(family))
		must(t, err)
		defer conn.Close()
		if info := infoOf(t, conn); info.Options&ecn != 0 {
			t.Errorf("%s: ECN is on", nameOf(family))
		}
		if _, _, err := request(conn, client(tls.VersionTLS13)); err != nil {
			t.Errorf("%s: %v", nameOf(family), err)
		}
	}
}

func infoOf(t *testing.T, conn net.Conn) (info *unix.TCPInfo) {
	t.Helper()
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		t.Fatalf("%T has no TCP", conn)
	}
	raw, err := tcp.SyscallConn()
	must(t, err)
	var failed error
	must(t, raw.Control(func(socket uintptr) {
		info, failed = unix.GetsockoptTCPInfo(int(socket), unix.IPPROTO_TCP, unix.TCP_INFO)
	}))
	must(t, failed)
	return info
}

// A port is used again while the server still has a socket of its earlier connection.
func TestAPortIsUsedAgain(t *testing.T) {
	l := newLab(t, datapath.Direct, nginx)
	from := 20000
	for _, address := range addresses {
		for _, vanishes := range []bool{false, true} {
			for _, segments := range []int{1, 2} { // of a hello
				from++
				for use := range 4 {
					if err := l.use(netip.AddrPortFrom(address, port), from, segments, vanishes); err != nil {
						l.logCounts(t)
						t.Fatalf("%s, vanishes: %t, %d segments, use %d: %v", address, vanishes, segments, use, err)
					}
				}
			}
		}
	}
	replaced := uint64(0)
	for _, c := range l.companions {
		counts, err := c.Observe()
		must(t, err)
		replaced += counts.Replaced
	}
	if replaced == 0 {
		t.Error("no socket was in the way, so nothing was tested")
	}
}

// use makes one request from a port, and then forgets the connection: its server closed it, or
// still has it.
func (l *lab) use(to netip.AddrPort, from, segments int, vanishes bool) error {
	var conn net.Conn
	err := l.network.Client.Do(func() (err error) {
		dialer := &net.Dialer{LocalAddr: &net.TCPAddr{Port: from}, Timeout: patience}
		conn, err = dialer.Dial("tcp", to.String())
		return err
	})
	if err != nil {
		return err
	}
	secure := tls.Client(&pieces{conn, segments, time.Millisecond}, client(tls.VersionTLS13))
	if err := secure.SetDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	if _, err := get(secure, bufio.NewReader(secure), !vanishes); err != nil {
		return err
	}
	raw, err := conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		return err
	}
	return errors.Join(raw.Control(func(socket uintptr) {
		err = unix.SetsockoptInt(int(socket), unix.IPPROTO_TCP, unix.TCP_REPAIR, 1) // it closes without a packet
	}), err, conn.Close())
}

// A forged packet may have the right cookie: that has only 23 secret bits.
func TestACookieAloneEndsNoConnection(t *testing.T) {
	l := newLab(t, datapath.Direct, nginx)
	all := l.last(t, 0, 6)
	for _, one := range all {
		l.forge(t, cookie.Connection{Client: netip.MustParseAddrPort(one.LocalAddr().String()), Service: netip.AddrPortFrom(addresses[0], port)})
	}
	l.stay(t, all)
	for name, c := range l.companions {
		if counts, err := c.Observe(); err != nil || counts.Replaced > 0 {
			t.Errorf("companion %s: %+v, %v", name, counts, err)
		}
	}
}

// forge sends the first data of a connection without timestamps.
func (l *lab) forge(t *testing.T, of cookie.Connection) {
	t.Helper()
	const link, header, syn = 14, 20, 7000
	tcp := append(make([]byte, header), "hello"...)
	binary.BigEndian.PutUint16(tcp, of.Client.Port())
	binary.BigEndian.PutUint16(tcp[2:], of.Service.Port())
	binary.BigEndian.PutUint32(tcp[4:], syn+1)
	binary.BigEndian.PutUint32(tcp[8:], 1+cookie.Bake(l.keys.Current.Cookie, of, syn, cookie.EpochAt(time.Now()), cookie.Options{MSS: 1460}))
	tcp[12], tcp[13], tcp[14] = header/4<<4, rawip.ACK, 255
	frame := append(append(make([]byte, link-2), 8, 0), rawip.Wrap(of.Client.Addr(), of.Service.Addr(), rawip.TCP, tcp)...)
	checksum.Write(frame)
	must(t, l.network.Client.Do(func() error {
		socket, err := unix.Socket(unix.AF_INET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.IPPROTO_RAW)
		if err != nil {
			return err
		}
		defer unix.Close(socket)
		return unix.Sendto(socket, frame[link:], 0, &unix.SockaddrInet4{Addr: of.Service.Addr().As4()})
	}))
}
