package signals

import (
	"io"
	"net"
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/netspace"
)

const large = 8 << 20

func TestALargeUploadIsOneRequest(t *testing.T) {
	p := newPlace(t).open()
	p.serve(server4, net.ListenConfig{}, answerUpload)
	upload(t, p.dial(client4, server4))
	p.wait(ourNode, Counts{Opened: 1, Arrived: 1, Done: 1})
}

func answerUpload(conn *net.TCPConn) {
	_, _ = io.CopyN(io.Discard, conn, large)
	_, _ = conn.Write([]byte("a"))
}

func upload(t testing.TB, conn *net.TCPConn) {
	t.Helper()
	_, err := conn.Write(make([]byte, large))
	must(t, err)
	_, err = io.ReadAll(conn)
	must(t, err)
}

func TestALargeAnswerThatTheClientReadsSlowlyIsNotInFlight(t *testing.T) {
	p := newPlace(t).open()
	p.serve(server4, net.ListenConfig{}, answerAtLength)
	conn := p.dial(client4, server4)
	_, err := conn.Write([]byte("q"))
	must(t, err)
	p.wait(ourNode, Counts{Open: 1, Opened: 1, Arrived: 1, Done: 1})
	if n, err := io.Copy(io.Discard, conn); n != large || err != nil {
		t.Fatalf("%d bytes (%v)", n, err)
	}
	p.wait(ourNode, Counts{Opened: 1, Arrived: 1, Done: 1})
}

func answerAtLength(conn *net.TCPConn) {
	_, _ = conn.Read(make([]byte, 1))
	_, _ = conn.Write(make([]byte, large))
}

// The rest of the upload counts as another request, which ends with the connection.
func TestAServerThatAnswersBeforeTheUploadEnds(t *testing.T) {
	p := newPlace(t).open()
	p.serve(server4, net.ListenConfig{}, func(conn *net.TCPConn) {
		_, _ = conn.Read(make([]byte, 1))
		_, _ = conn.Write([]byte("a"))
		_, _ = io.CopyN(io.Discard, conn, large-1)
	})
	upload(t, p.dial(client4, server4))
	p.wait(ourNode, Counts{Opened: 1, Arrived: 2, Done: 2})
}

// The client receives nothing for a while, so it sends its request again after the answer, and the
// server the answer.
func TestWhatIsSentAgainIsNotCountedAgain(t *testing.T) {
	p := newPlace(t).open()
	p.serve(server4, net.ListenConfig{}, answerEach)
	conn := p.dial(client4, server4)
	request(t, conn)
	connect := drop(t, p.client, asm.Instructions{asm.FnGetPrandomU32.Call(), asm.JGE.Imm(asm.R0, 0, "drop")})
	_, err := conn.Write([]byte("q"))
	must(t, err)
	p.wait(ourNode, Counts{Open: 1, Opened: 1, Arrived: 2, Done: 2})
	eventually(t, "the client to send again", func() bool { return sentAgain(t, conn) >= 2 })
	connect()
	_, err = io.ReadFull(conn, make([]byte, 1))
	must(t, err)
	p.wait(ourNode, Counts{Open: 1, Opened: 1, Arrived: 2, Done: 2})
}

func sentAgain(t testing.TB, conn *net.TCPConn) (segments uint32) {
	t.Helper()
	raw, err := conn.SyscallConn()
	must(t, err)
	must(t, raw.Control(func(fd uintptr) {
		info, err := unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO)
		must(t, err)
		segments = info.Total_retrans
	}))
	return segments
}

// drop drops the packets that arrive in a namespace for which instructions jump to the label of that
// name, until the test ends or stop is called.
func drop(t testing.TB, space *netspace.Space, when asm.Instructions) (stop func()) {
	t.Helper()
	const next, shot = -1, 2
	program, err := ebpf.NewProgram(&ebpf.ProgramSpec{Type: ebpf.SchedCLS, License: "GPL", Instructions: append(when,
		asm.Mov.Imm(asm.R0, next), asm.Return(),
		asm.Mov.Imm(asm.R0, shot).WithSymbol("drop"), asm.Return(),
	)})
	must(t, err)
	t.Cleanup(func() { _ = program.Close() })
	device, err := space.Links().LinkByName("eth0")
	must(t, err)
	var attached link.Link
	must(t, space.Do(func() (err error) {
		attached, err = link.AttachTCX(link.TCXOptions{Interface: device.Attrs().Index, Program: program, Attach: ebpf.AttachTCXIngress})
		return err
	}))
	t.Cleanup(func() { _ = attached.Close() })
	return func() { must(t, attached.Close()) }
}
