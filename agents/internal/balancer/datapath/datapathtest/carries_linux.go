package datapathtest

import (
	"fmt"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func arrives(t *testing.T, tr *trial) {
	p := tr.open(t)
	services := tr.all()
	set(t, p, true, services...)
	for _, service := range services {
		t.Run(service.Key.String(), func(t *testing.T) {
			tr.connectTo(t, service, "a", "b", "c")
			if service.Key.Protocol == datapath.TCP {
				name, err := tr.client().Get(t.Context(), service.Key)
				must(t, err)
				if !strings.Contains("a b c", name) {
					t.Fatalf("received by HTTP: %q", name)
				}
			}
		})
	}
}

// bulk uses full-size packets, and packet-too-big errors.
func bulk(t *testing.T, tr *trial) {
	const size = 1 << 20
	p := tr.open(t)
	services := []datapath.Service{tr.service(ipv4, datapath.TCP), tr.service(ipv6, datapath.TCP)}
	set(t, p, true, services...)
	for _, mtu := range []int{1500, 1300} {
		tr.network.Narrow(t, mtu)
		for _, service := range services {
			t.Run(fmt.Sprintf("%s through %d", service.Key, mtu), func(t *testing.T) {
				for _, conn := range tr.connectTo(t, service, "a", "b", "c") {
					must(t, conn.Upload(size), conn.Download(size))
				}
			})
		}
	}
	tr.network.Narrow(t, 1500)
}

func showsClient(t *testing.T, tr *trial) {
	p := tr.open(t)
	var services []datapath.Service
	for _, service := range tr.all() {
		if tr.delivery == datapath.Proxy {
			if service.Key.Protocol != datapath.TCP {
				continue
			}
			service.ProxyProtocol = true
		}
		services = append(services, service)
	}
	set(t, p, true, services...)
	for _, service := range services {
		conn, err := tr.client().Connect(service.Key)
		must(t, err)
		answer, err := conn.Request()
		must(t, err)
		if answer.Client != conn.Local() {
			t.Errorf("%s: the backend sees the client as %s, it is %s", service.Key, answer.Client, conn.Local())
		}
		conn.Close()
	}
}

func weighs(t *testing.T, tr *trial) {
	p := tr.open(t)
	const connections = 400
	service := tr.service(ipv4, datapath.TCP, with("b", func(b *datapath.Backend) { b.Weight = 2 }))
	set(t, p, true, service)
	got := map[string]float64{}
	for range connections {
		got[tr.request(t, service).Backend] += 1.0 / connections
	}
	for backend, want := range map[string]float64{"a": 0.25, "b": 0.5, "c": 0.25} {
		// Five standard deviations of a fair draw: one run in a million fails randomly.
		if share := got[backend]; share < want-0.125 || share > want+0.125 {
			t.Errorf("backend %s got %.2f of the connections, its weight is %.2f", backend, share, want)
		}
	}
}

func refuses(t *testing.T, tr *trial) {
	p := tr.open(t)
	for _, nowhere := range []struct {
		name     string
		services []datapath.Service
	}{
		{"no backends", tr.all(func(b *datapath.Backend) { b.State = "" })},
		{"all down", tr.all(func(b *datapath.Backend) { b.Up = false })},
	} {
		t.Run(nowhere.name, func(t *testing.T) {
			set(t, p, true, nowhere.services...)
			for _, service := range nowhere.services {
				tr.refused(t, p, service)
			}
		})
	}
}

// refused requires a reset or an ICMP error at once, or a counted drop if the engine is
// silent.
func (tr *trial) refused(t *testing.T, p *Process, service datapath.Service) {
	t.Helper()
	before := drops(t, p)
	if !tr.subject.Silent {
		// ICMP errors are rate-limited, so a datagram may have to be repeated.
		until(t, func() error {
			_, err := tr.client().RequestOnce(service.Key)
			if err == nil || !strings.Contains(err.Error(), "connection refused") {
				return fmt.Errorf("%s: a client received %v instead of a rejection", service.Key, err)
			}
			return nil
		})
		return
	}
	go func() { _, _ = tr.client().RequestOnce(service.Key) }()
	until(t, func() error {
		if now := drops(t, p); now == before {
			return fmt.Errorf("%s: a packet without a backend isn't counted as a drop: %d", service.Key, now)
		}
		return nil
	})
}

func drops(t *testing.T, p *Process) (sum uint64) {
	t.Helper()
	observed, err := p.Observe()
	must(t, err)
	for _, count := range observed.AllDrops() {
		sum += count
	}
	return sum
}
