package clients

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func TestALaterFragmentCountsToTheOnlyServiceOfItsAddress(t *testing.T) {
	key := func(address string, port uint16, protocol datapath.Protocol) datapath.Key {
		return datapath.Key{Address: netip.MustParseAddr(address), Port: port, Protocol: protocol}
	}
	dns, web, tls := key("192.0.2.1", 53, datapath.UDP), key("192.0.2.1", 80, datapath.TCP), key("192.0.2.1", 443, datapath.TCP)
	d := newDirectory([]Service{{dns, true}, {web, true}, {tls, false}})
	for _, test := range []struct {
		name string
		to   datapath.Key
		want datapath.Key
		is   bool
	}{
		{"with ports", web, web, true},
		{"not sampled", tls, tls, false},
		{"the only service", key("192.0.2.1", 0, datapath.UDP), dns, true},
		{"one of two services, even if the other isn't sampled", key("192.0.2.1", 0, datapath.TCP), datapath.Key{}, false},
		{"no service", key("192.0.2.2", 0, datapath.UDP), datapath.Key{}, false},
	} {
		if got, is := d.serviceOf(header{service: test.to}); is != test.is || is && got != test.want {
			t.Errorf("%s: got %v, %v", test.name, got, is)
		}
	}
	if want := []netip.Addr{netip.MustParseAddr("192.0.2.1")}; !slices.Equal(d.addresses, want) {
		t.Errorf("addresses %v, want %v", d.addresses, want)
	}
}

func TestTheFirstHundredServicesAreSampled(t *testing.T) {
	var services []Service
	for i := range servicesMost + 5 {
		services = append(services, Service{datapath.Key{Address: netip.MustParseAddr(fmt.Sprintf("192.0.2.%d", i+1)), Port: 80, Protocol: datapath.TCP}, true})
	}
	d := newDirectory(services)
	if len(d.sampled) != servicesMost || len(d.left) != 5 || !d.left[services[servicesMost].Key] || len(d.addresses) != servicesMost {
		t.Errorf("%d are sampled, %d left out, %d addresses", len(d.sampled), len(d.left), len(d.addresses))
	}
}
