package datapathtest

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
)

const aWhile = time.Minute

func (p *Process) steer(do string, flow datapath.Flow, span time.Duration) error {
	_, err := p.call(request{Do: do, Flows: []datapath.Flow{flow}, For: span})
	return err
}

func flowOf(service datapath.Service, client netip.AddrPort, backend string) datapath.Flow {
	return datapath.Flow{Service: service.Key, Client: client, Backend: backend}
}

// goesTo requires that a connection from this address and port goes to a backend.
func (tr *trial) goesTo(t *testing.T, service datapath.Service, from netip.AddrPort, backend string) *Conn {
	t.Helper()
	conn, err := tr.client().connectFrom(from, service.Key, patience)
	must(t, err)
	t.Cleanup(conn.Close)
	stays(t, conn, backend)
	stays(t, conn, backend)
	return conn
}

func putsOne(t *testing.T, tr *trial) {
	p := tr.open(t)
	services := tr.all(in("c", datapath.Draining))
	set(t, p, true, services...)
	for _, service := range services {
		t.Run(service.Key.String(), func(t *testing.T) {
			carried := tr.connectTo(t, service, "a", "b")["a"]
			for _, backend := range []string{"a", "b", "c"} { // c takes no new connection by the tables
				from := carried.newPort()
				must(t, p.steer("put", flowOf(service, from, "a"), aWhile), p.steer("put", flowOf(service, from, backend), aWhile))
				tr.goesTo(t, service, from, backend)
			}

			must(t, p.steer("put", flowOf(service, carried.Local(), "b"), aWhile))
			stays(t, carried, "a")

			late := carried.newPort()
			must(t, p.steer("put", flowOf(service, late, "c"), -time.Second))
			conn, err := tr.client().connectFrom(late, service.Key, patience)
			must(t, err)
			t.Cleanup(conn.Close)
			if answer, err := conn.Request(); err != nil || answer.Backend == "c" {
				t.Errorf("a connection that was put until a second ago goes to %q: %v", answer.Backend, err)
			}

			err = p.steer("put", flowOf(service, carried.newPort(), "unknown"), aWhile)
			if err == nil || !strings.Contains(err.Error(), `"unknown"`) {
				t.Errorf("put to an unknown backend: %v", err)
			}

			lost := carried.newPort()
			must(t, p.steer("put", flowOf(service, lost, "b"), aWhile))
			put(t, p, tr.all(in("c", datapath.Draining), with("b", func(b *datapath.Backend) { b.Up = false }))...)
			tr.goesTo(t, service, lost, "a")
			put(t, p, services...)
		})
	}
}

// holdsOne holds a connection before its first packet. TCP repeats a lost packet, but a
// datagram that is answered was sent by the release.
func holdsOne(t *testing.T, tr *trial) {
	p := tr.open(t)
	services := tr.all()
	set(t, p, true, services...)
	for _, service := range services {
		t.Run(service.Key.String(), func(t *testing.T) {
			other := tr.connectTo(t, service, "a")["a"]
			begin := func(from netip.AddrPort) chan string {
				answered := make(chan string, 1)
				go func() {
					conn, err := tr.client().connectFrom(from, service.Key, 2*patience)
					if err != nil {
						answered <- err.Error()
						return
					}
					defer conn.Close()
					conn.Patience = 2 * patience
					answer, err := conn.Request()
					if err != nil {
						answered <- err.Error()
					}
					answered <- answer.Backend
				}()
				return answered
			}
			for _, backend := range []string{"b", "c"} {
				from := other.newPort()
				must(t, p.steer("hold", flowOf(service, from, ""), aWhile))
				answered := begin(from)
				select {
				case answer := <-answered:
					t.Fatalf("a held connection is answered by %s", answer)
				case <-time.After(200 * time.Millisecond):
				}
				stays(t, other, "a")
				must(t, p.steer("put", flowOf(service, from, backend), aWhile), p.steer("release", flowOf(service, from, ""), 0))
				if answer := <-answered; answer != backend {
					t.Errorf("a released connection goes to %s, want %s", answer, backend)
				}
			}

			byTables := other.newPort()
			must(t, p.steer("hold", flowOf(service, byTables, ""), aWhile))
			answered := begin(byTables)
			time.Sleep(100 * time.Millisecond)
			must(t, p.steer("release", flowOf(service, byTables, ""), 0))
			if answer := <-answered; len(answer) != 1 {
				t.Errorf("a released connection that was put nowhere: %s", answer)
			}

			if service.Key.Protocol == datapath.TCP { // a datagram would be lost
				forgotten := other.newPort()
				must(t, p.steer("hold", flowOf(service, forgotten, ""), 300*time.Millisecond))
				if answer := <-begin(forgotten); len(answer) != 1 {
					t.Errorf("a connection that was never released: %s", answer)
				}
			}
		})
	}
}

// holdsData holds a connection in its middle, where its packets are large: it comes from
// another replica.
func holdsData(t *testing.T, tr *trial) {
	first, second := tr.openIn(t, 0, tr.options(t)), tr.openIn(t, 1, tr.options(t))
	defer tr.mergeAtMost(t, mergedMost)()
	for _, family := range []int{ipv4, ipv6} {
		service := tr.service(family, datapath.TCP)
		set(t, first, true, service)
		set(t, second, true, service)
		conn := tr.connectTo(t, service, "b")["b"]
		must(t, second.steer("hold", flowOf(service, conn.Local(), ""), aWhile))
		tr.network.RouteTo(t, 1)
		uploaded := make(chan error, 1)
		go func() { uploaded <- conn.Upload(200_000) }()
		select {
		case err := <-uploaded:
			t.Fatalf("a held upload ended: %v", err)
		case <-time.After(300 * time.Millisecond):
		}
		waiting, err := readTCPInfo(conn.conn)
		must(t, err)
		wire := wireOf(t, tr.network.Balancers[1], fullSegment, ethernetHeader+linkMTU)
		must(t, second.steer("put", flowOf(service, conn.Local(), "b"), aWhile), second.steer("release", flowOf(service, conn.Local(), ""), 0))
		// The client has merged them into few that are larger than any link takes. What it
		// repeats is not merged, so some would be sent anyway. Not all are full.
		if full, want := wire.sent(t), int(waiting.Unacked)/2; full < want {
			t.Errorf("%s: %d full segments are sent by the release, want at least %d", service.Key, full, want)
		}
		must(t, <-uploaded)
		stays(t, conn, "b")
		tr.network.RouteTo(t, 0)
	}
}

// mergeAtMost limits how much data of a connection the client merges into one packet: longer
// packets aren't kept.
func (tr *trial) mergeAtMost(t *testing.T, bytes int) (undo func()) {
	t.Helper()
	links := tr.network.Client.Links()
	link, err := links.LinkByName(Interface)
	must(t, err)
	must(t, links.LinkSetGSOMaxSize(link, bytes))
	return func() { must(t, links.LinkSetGSOMaxSize(link, int(link.Attrs().GSOMaxSize))) }
}

// Sizes of frames.
const (
	mergedMost     = 8192
	fullSegment    = 1200 // or more
	ethernetHeader = 14
	linkMTU        = 1500
)

// holdsMerged holds datagrams that their sender had merged into one packet.
func holdsMerged(t *testing.T, tr *trial) {
	p := tr.open(t)
	for _, family := range []int{ipv4, ipv6} {
		service := tr.service(family, datapath.UDP)
		put(t, p, service)
		from := tr.connectTo(t, service, "a")["a"].newPort()
		must(t, p.steer("hold", flowOf(service, from, ""), aWhile))
		conn, err := tr.client().connectFrom(from, service.Key, patience)
		must(t, err)
		t.Cleanup(conn.Close)
		questions := []string{"first---", "second--", "third---"}
		must(t, conn.sendMerged(questions))
		released := time.After(200 * time.Millisecond) // the engine gets them meanwhile
		<-released
		must(t, p.steer("release", flowOf(service, from, ""), 0), conn.conn.SetDeadline(time.Now().Add(patience)))
		for buffer := make([]byte, 2048); len(questions) > 0; {
			n, err := conn.conn.Read(buffer)
			must(t, err)
			at := slices.IndexFunc(questions, func(question string) bool { return strings.HasSuffix(string(buffer[:n]), " "+question) })
			if at < 0 {
				t.Fatalf("%s: answered %q, want an answer to one of %q", service.Key, buffer[:n], questions)
			}
			questions = slices.Delete(questions, at, at+1)
		}
	}
}

// sendMerged sends datagrams of one size as one packet, which is divided when it is sent to a
// link that needs that.
func (c *Conn) sendMerged(datagrams []string) error {
	raw, err := c.conn.(*net.UDPConn).SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(fd uintptr) {
		failed = unix.SetsockoptInt(int(fd), unix.IPPROTO_UDP, unix.UDP_SEGMENT, len(datagrams[0]))
	})
	if err = errors.Join(err, failed); err != nil {
		return fmt.Errorf("merge datagrams: %w", err)
	}
	_, err = io.WriteString(c.conn, strings.Join(datagrams, ""))
	return err
}

func draws(t *testing.T, tr *trial) {
	p := tr.open(t)
	services := tr.all(in("c", datapath.Filling))
	for i := range services {
		services[i].Chooser = datapath.Private
	}
	set(t, p, true, services...)
	for _, service := range services {
		t.Run(service.Key.String(), func(t *testing.T) {
			opened := tr.connectTo(t, service, "a", "b", "c")
			for _, one := range []string{"a", "b", "c"} {
				weights := map[string]uint32{"a": 0, "b": 0, "c": 0}
				weights[one] = 1_000_000
				_, err := p.call(request{Do: "weigh", Key: service.Key, Weights: weights})
				must(t, err)
				for range 5 {
					if answer := tr.request(t, service); answer.Backend != one {
						t.Errorf("a connection went to %s, and only %s has a weight", answer.Backend, one)
					}
				}
				for backend, conn := range opened {
					stays(t, conn, backend)
				}
			}
		})
	}
	services[0].Chooser = datapath.Agreed
	if _, err := p.Set(services...); err != nil {
		t.Fatal(err)
	}
	if _, err := p.call(request{Do: "weigh", Key: services[0].Key}); err == nil {
		t.Error("weights of a service with the agreed chooser are accepted")
	}
}
