package userspace

import (
	"crypto/tls"
	"errors"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func TestAFloodedServiceLeavesRoomForOthers(t *testing.T) {
	const most = 16
	e := open(datapath.Options{Connections: most})
	t.Cleanup(func() { must(t, e.Remove()) })
	var services [2]datapath.Service
	for i := range services {
		services[i] = datapath.Service{
			Key:      datapath.Key{Address: serviceAddress, Port: freePort(t), Protocol: datapath.TCP},
			Delivery: datapath.Proxy, Backends: backendsAt(instance(t, "a")),
		}
	}
	if services[0].Key.Port > services[1].Key.Port {
		services[0], services[1] = services[1], services[0]
	}
	_, err := e.Set(t.Context(), services[:])
	must(t, err)
	flooded, other := destination(services[0].Key).String(), destination(services[1].Key).String()
	var flood []net.Conn
	for range 2 * most {
		if conn, err := net.Dial("tcp", flooded); err == nil { // the reset may arrive first
			defer conn.Close()
			flood = append(flood, conn)
		}
	}
	for deadline := time.Now().Add(10 * time.Second); rejected(t, e, services[0].Key) < most; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the flood isn't limited")
		}
	}
	const guaranteed = most / 2 / 2
	for range guaranteed {
		if got, err := shown(other, &tls.Config{ServerName: "a"}); got != "a" || err != nil {
			t.Fatalf("a client of another service: %q, %v", got, err)
		}
	}
	observed, err := e.Observe(t.Context())
	must(t, err)
	if len(observed.Warnings) != 1 || !strings.Contains(observed.Warnings[0], services[0].Key.String()) {
		t.Errorf("warnings: %q", observed.Warnings)
	}

	// Alone, a service may use everything.
	for _, conn := range flood {
		conn.Close()
	}
	_, err = e.Set(t.Context(), services[:1])
	must(t, err)
	for deadline := time.Now().Add(10 * time.Second); e.limits.connections.open.Load() > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the flood doesn't end")
		}
	}
	before := rejected(t, e, services[0].Key)
	for range most {
		conn, err := tls.Dial("tcp", flooded, &tls.Config{InsecureSkipVerify: true})
		must(t, err)
		defer conn.Close()
	}
	if after := rejected(t, e, services[0].Key); after != before {
		t.Errorf("%d clients were rejected", after-before)
	}
}

func TestClientsWithoutAHelloEndOnlyThoseOfTheirOwnService(t *testing.T) {
	e := opened(t, 4*hellosPart) // four may wait
	first := byName(t, e, freePort(t), []string{"a.example"}, instance(t, "a.example"))
	second := first
	second.Key.Port = freePort(t)
	services := []datapath.Service{first, second}
	if first.Key.Port > second.Key.Port {
		services[0], services[1] = second, first
	}
	_, err := e.Set(t.Context(), services)
	must(t, err)
	slow := dial(t, "tcp", destination(first.Key).String())
	send(t, slow, "\x16")
	awaited(t, e, 1)
	for i := range 8 {
		send(t, dial(t, "tcp", destination(second.Key).String()), "\x16")
		awaited(t, e, min(i+2, 4))
	}
	must(t, slow.SetReadDeadline(time.Now().Add(100*time.Millisecond)))
	if _, err := slow.Read(make([]byte, 1)); errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the client of another service received %v", err)
	}
}

// rejected returns how many clients of a service found no room.
func rejected(t *testing.T, e *Engine, key datapath.Key) uint64 {
	t.Helper()
	observed, err := e.Observe(t.Context())
	must(t, err)
	for _, one := range observed.Services {
		if one.Key == key {
			return one.Drops["table_full"]
		}
	}
	return 0
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
