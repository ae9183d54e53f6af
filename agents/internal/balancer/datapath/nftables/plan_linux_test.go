package nftables

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func TestOnlyChangedObjectsGetNewNames(t *testing.T) {
	e := newEngine(datapath.Options{Interface: "eth0", Name: "test"}, nil)
	first := planned(t, e, service())
	for _, c := range []struct {
		name   string
		change func(*datapath.Service)
		rows   int // tables of rows that are kept
		all    bool
	}{
		{"nothing", func(*datapath.Service) {}, 1, true},
		{"a backend goes down", func(s *datapath.Service) { s.Backends[0].Up = false }, 1, false},
		{"a backend moves", func(s *datapath.Service) { s.Backends[0].Address = netip.MustParseAddr("10.0.0.9") }, 1, false},
		{"a backend drains", func(s *datapath.Service) { s.Backends[0].State = datapath.Draining }, 1, false},
		{"a weight changes", func(s *datapath.Service) { s.Backends[0].Weight = 2 }, 0, false},
		{"a backend goes", func(s *datapath.Service) { s.Backends = s.Backends[1:] }, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			changed := service()
			c.change(&changed)
			second := planned(t, e, changed)
			rows := 0
			for name := range second {
				if isRows(name) && first[name] {
					rows++
				}
				if !isCounted(name) && !isRows(name) && first[name] != c.all {
					t.Errorf("%s was there: %v", name, first[name])
				}
			}
			if rows != c.rows {
				t.Errorf("%d tables of rows stay, want %d", rows, c.rows)
			}
		})
	}
}

// isCounted is true for counters, which survive changes.
func isCounted(name string) bool {
	return slices.ContainsFunc([]string{"packets_", "begins_", "refused_"}, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// An unprivileged socket limits the size of a message.
func TestNoMessageIsTooLong(t *testing.T) {
	e := newEngine(datapath.Options{Interface: "eth0", Name: "test"}, nil)
	s := service()
	part, err := e.directService(e.directTable, &s, 1)
	if err != nil {
		t.Fatal(err)
	}
	messages := e.directTable.addElements("flows", slices.Repeat([]element{{key: make([]byte, 28), value: make([]byte, 24), timeout: tcpIdle}}, 5000))
	if len(messages) < 2 {
		t.Errorf("%d messages for 5000 flows", len(messages))
	}
	for _, item := range part.items {
		messages = append(messages, item.add...)
	}
	for _, message := range messages {
		if len(message.body) >= 1<<16 {
			t.Errorf("%s takes %d bytes", message.does, len(message.body))
		}
	}
}

func FuzzWhatTheKernelSends(f *testing.F) {
	e := newEngine(datapath.Options{Interface: "eth0", Name: "test"}, nil)
	elements := e.directTable.addElements("flows", []element{{key: []byte("key."), value: []byte("value...")}, {key: []byte("key."), chain: "backend"}})
	s := socket{}
	f.Add(s.message(nil, elements[0], unix.NLM_F_REQUEST))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, datagram []byte) {
		messages, err := split(datagram)
		if err != nil {
			return
		}
		for _, message := range messages {
			if len(message.Data) < 4 {
				continue
			}
			attributes, err := decoder(message.Data[4:])
			if err != nil {
				continue
			}
			_ = eachElement(attributes, func(one element) {
				for _, f := range families {
					f.placeOf(one)
				}
			})
		}
	})
}

func planned(t *testing.T, e *Engine, s datapath.Service) map[string]bool {
	t.Helper()
	part, err := e.directService(e.directTable, &s, 1)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, item := range part.items {
		names[item.name] = true
	}
	return names
}

func service() datapath.Service {
	s := datapath.Service{Key: datapath.Key{Address: documentation, Port: 80, Protocol: datapath.TCP}, Delivery: datapath.Direct}
	for i := range 3 {
		s.Backends = append(s.Backends, datapath.Backend{
			ID: fmt.Sprint("backend", i), Address: netip.AddrFrom4([4]byte{10, 0, 0, byte(i)}), Port: 80, Weight: 1, State: datapath.Active, Up: true,
		})
	}
	return s
}
