package replica_test

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"fairlead.dev/agents/internal/session/companion"
	"fairlead.dev/agents/internal/session/message"
	"fairlead.dev/agents/internal/session/replica"
)

// transfer returns how long a replica that starts takes to learn all ids of four companions. change is called
// before it starts.
func transfer(t testing.TB, each int, change func(*replica.Lab)) time.Duration {
	t.Helper()
	l := replica.NewLab(t)
	run := func(args ...string) {
		t.Helper()
		if output, err := l.LAN.Run(t.Context(), args[0], args[1:]...); err != nil {
			t.Fatalf("%v: %s", err, output)
		}
	}
	services, number := l.Services(), 0
	for i := range services {
		for j := range services[i].Backends {
			number++
			b := &services[i].Backends[j]
			b.Companion = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 9, 0, byte(20 + number)}), 7446)
			run("ip", "address", "add", b.Companion.Addr().String()+"/24", "dev", "eth0")
			accompany(t, l, &services[i], b, each, number)
		}
	}
	change(l)
	began := time.Now()
	if err := l.Replica.Set(services); err != nil {
		t.Fatal(err)
	}
	for _, s := range services {
		for len(l.Replica.LacksIDs(s.Key)) > 0 {
			if time.Since(began) > time.Minute {
				t.Fatalf("after a minute, ids of %v are missing", l.Replica.LacksIDs(s.Key))
			}
			time.Sleep(time.Millisecond)
		}
	}
	took := time.Since(began)
	if known := l.Known(t); known != 4*each {
		t.Errorf("%d of %d ids are known", known, 4*each)
	}
	return took
}

// accompany starts a companion that has ids.
func accompany(t testing.TB, l *replica.Lab, s *replica.Service, b *replica.Backend, ids, number int) {
	t.Helper()
	service := netip.AddrPortFrom(s.Key.Address, s.Key.Port)
	err := l.LAN.Do(func() error {
		one, err := companion.Open("eth0", b.Companion)
		if err != nil {
			return err
		}
		t.Cleanup(func() { _ = one.Close() })
		if err := one.Set([]companion.Service{{Address: service, Backend: b.ID, Number: b.Number, Keys: s.Keys}}); err != nil {
			return err
		}
		for n := range ids {
			id := [message.IDBytes]byte{byte(number)}
			binary.BigEndian.PutUint32(id[1:], uint32(n))
			one.Began(service, id)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAReplicaThatStartsLearnsAllIDs(t *testing.T) {
	transfer(t, 20000, func(*replica.Lab) {})
}

func TestIDsThatAreLostAreRequestedAgain(t *testing.T) {
	const lost = 3 // of 100
	transfer(t, 5000, func(l *replica.Lab) {
		rules := fmt.Sprintf("table inet lose { chain o { type filter hook output priority 0; udp sport 7446 numgen random mod 100 < %d drop; }; }", lost)
		if output, err := l.LAN.Run(t.Context(), "nft", rules); err != nil {
			t.Fatalf("%v: %s", err, output)
		}
	})
}

// BenchmarkTransfer measures a replica that starts and learns a million ids.
func BenchmarkTransfer(b *testing.B) {
	for range b.N {
		took := transfer(b, 250_000, func(*replica.Lab) {})
		b.ReportMetric(took.Seconds(), "s/million")
	}
}

// BenchmarkNewIDsOfACompanion measures how many new ids a companion sends to one replica in a second, and how many of them that
// knows at the end.
func BenchmarkNewIDsOfACompanion(b *testing.B) {
	l := replica.NewLab(b)
	if output, err := l.LAN.Run(b.Context(), "ip", "address", "add", "10.9.0.20/24", "dev", "eth0"); err != nil {
		b.Fatalf("%v: %s", err, output)
	}
	services := l.Services()
	s := &services[0]
	s.Backends[0].Companion = netip.MustParseAddrPort("10.9.0.20:7446")
	service, one := netip.AddrPortFrom(s.Key.Address, s.Key.Port), &companion.Companion{}
	err := l.LAN.Do(func() (err error) {
		if one, err = companion.Open("eth0", s.Backends[0].Companion); err != nil {
			return err
		}
		b.Cleanup(func() { _ = one.Close() })
		return one.Set([]companion.Service{{
			Address: service, Backend: s.Backends[0].ID, Number: 1, Keys: s.Keys, Replicas: []netip.AddrPort{netip.MustParseAddrPort("10.9.0.1:7000")},
		}})
	})
	if err != nil {
		b.Fatal(err)
	}
	if err := l.Replica.Set(services); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for n := range b.N {
		id := [message.IDBytes]byte{}
		binary.BigEndian.PutUint32(id[1:], uint32(n))
		one.Began(service, id)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "sent/s")
	for l.Known(b) < b.N && b.Elapsed() < time.Minute {
		time.Sleep(100 * time.Millisecond)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "learnt/s")
}
