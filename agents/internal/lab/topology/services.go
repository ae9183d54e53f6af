package topology

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
)

func (w *written) completeServices() error {
	t := &w.topology
	seen := map[string]bool{}
	taken := map[netip.AddrPort]string{}
	for i := range w.services {
		s, path := &w.services[i], fmt.Sprintf("services[%d]", i)
		if !memberName.MatchString(s.Name) {
			return fmt.Errorf("%s.name: %q is not a valid name: use up to 13 lower-case letters, digits and dashes, a letter first", path, s.Name)
		}
		if seen[s.Name] {
			return fmt.Errorf("%s.name: another service is called %q: choose another name", path, s.Name)
		}
		seen[s.Name] = true
		setDefault(&s.Group, s.Name)
		if !slices.ContainsFunc(w.pods, func(g group) bool { return g.name == s.Group }) {
			return fmt.Errorf("%s.pods: there are no pods %q: name one of pods", path, s.Group)
		}
		if err := w.completeAddresses(s, path, i); err != nil {
			return err
		}
		for _, address := range s.Addresses() {
			// Pods listen on the service's own port on every address, so one port can serve only one protocol
			// in a pod.
			key := netip.AddrPortFrom(address, s.Port)
			if other, ok := taken[key]; ok {
				return fmt.Errorf("%s.port: %s is the service %s already: choose another port or address", path, key, other)
			}
			taken[key] = s.Name
		}
		if err := completeDelivery(s, path, t); err != nil {
			return err
		}
		if err := completeCheck(s, path); err != nil {
			return err
		}
		for _, other := range t.Services {
			if other.Group == s.Group && other.Port == s.Port && other.Serve != s.Serve && other.Serve.Protocol() == s.Serve.Protocol() {
				return fmt.Errorf("%s.serve: the service %s has the same pods serve %s on port %d: choose another port", path, other.Name, other.Serve, s.Port)
			}
		}
		t.Services = append(t.Services, *s)
	}
	return nil
}

func (w *written) completeAddresses(s *Service, path string, index int) error {
	t := &w.topology
	for _, family := range []struct {
		field   string
		on      bool
		address *netip.Addr
		prefix  netip.Prefix
	}{
		{"address4", t.IPv4, &s.Address4, t.Prefixes.Services4},
		{"address6", t.IPv6, &s.Address6, t.Prefixes.Services6},
	} {
		switch {
		case !family.on && family.address.IsValid():
			return fmt.Errorf("%s.%s: this family is not in families: remove the address, or add the family", path, family.field)
		case !family.on:
		case !family.address.IsValid():
			*family.address = Nth(family.prefix, index+1)
		}
		if family.on && !family.prefix.Contains(*family.address) {
			return fmt.Errorf("%s.%s: %s is outside %s: choose one inside, or leave the field out", path, family.field, family.address, family.prefix)
		}
	}
	return nil
}

// zone matches a DNS name.
var zone = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)

func completeZone(s *Service, path string) error {
	switch {
	case s.Zone == "":
		return nil
	case !zone.MatchString(s.Zone) || len(s.Zone) > 200:
		return fmt.Errorf("%s.zone: %q is not a DNS zone: use lower-case letters, digits, dashes and dots, such as shop.example", path, s.Zone)
	case s.Serve != TLS:
		return fmt.Errorf("%s.zone: only clients of serve: tls send names: add that, or remove the zone", path)
	case s.Delivery != "" && s.Delivery != "proxy":
		return fmt.Errorf("%s.delivery: only proxy reads the names of zone: use that, or leave the field out", path)
	}
	s.Delivery = "proxy"
	return nil
}

// completeSession checks what placing connections by session needs, and has an agent run next to the pods.
func completeSession(s *Service, path string, t *Topology) error {
	switch {
	case !s.Session:
		return nil
	case s.Serve != TLS:
		return fmt.Errorf("%s.session: only serve: tls has sessions: add that, or remove this", path)
	case s.Zone != "":
		return fmt.Errorf("%s.session: with a zone, names choose the pod: remove one of the two", path)
	case t.Engine != "tcx":
		return fmt.Errorf("%s.session: only the engine tcx places connections by session: add engine: tcx, or remove this", path)
	case s.Delivery == "nat" || s.Delivery == "proxy":
		return fmt.Errorf("%s.delivery: %s changes the packets of a session: use direct, tunnel or gue, or leave the field out", path, s.Delivery)
	case s.Delivery == "" && t.Network == Routed:
		s.Delivery = "tunnel"
	}
	setDefault(&s.Delivery, "direct")
	t.Backends = true
	return nil
}

func completeDelivery(s *Service, path string, t *Topology) error {
	if err := completeZone(s, path); err != nil {
		return err
	}
	if err := completeSession(s, path, t); err != nil {
		return err
	}
	switch {
	case t.Network == Routed && s.Delivery == "direct":
		return fmt.Errorf("%s.delivery: direct needs all pods on one layer 2: use tunnel, gue, nat or proxy, or the network flat", path)
	case t.Network == Routed && s.Delivery == "":
		s.Delivery = acrossRouters(t.Engine)
	case s.ProxyProtocol && s.Delivery != "proxy":
		return fmt.Errorf("%s.proxyProtocol: only delivery: proxy can write it: add that, or remove this", path)
	}
	return nil
}

// acrossRouters is the default delivery to pods in other networks.
func acrossRouters(engine string) string {
	switch engine {
	case "xdp":
		return "tunnel"
	case "userspace":
		return "proxy"
	default:
		return "nat"
	}
}

func completeCheck(s *Service, path string) error {
	c := &s.Check
	if c.Type == "" {
		c.Type = string(s.Serve)
	}
	if c.Type == string(TLS) {
		c.Type = string(TCP)
	}
	if (c.Type == "udp") != (s.Serve == UDP) && c.Type != "none" {
		return fmt.Errorf("%s.check.type: %s can't check what serves %s: leave the field out", path, c.Type, s.Serve)
	}
	if c.Type == "none" {
		*c = Check{}
	}
	if c.Type != "http" && c.Path != "" {
		return fmt.Errorf("%s.check.path: only type: http has a path: remove it", path)
	}
	if c.Type == "http" {
		setDefault(&c.Path, "/healthz")
		if c.Path[0] != '/' {
			return fmt.Errorf("%s.check.path: %q must begin with a slash, such as /healthz", path, c.Path)
		}
	}
	return nil
}

// Addresses returns its addresses, IPv4 first.
func (s Service) Addresses() []netip.Addr {
	var addresses []netip.Addr
	for _, address := range []netip.Addr{s.Address4, s.Address6} {
		if address.IsValid() {
			addresses = append(addresses, address)
		}
	}
	return addresses
}

// Nth returns the n-th address of a prefix; n is below 65 536.
func Nth(prefix netip.Prefix, n int) netip.Addr {
	bytes := prefix.Masked().Addr().AsSlice()
	last := len(bytes) - 1
	bytes[last] += byte(n)
	bytes[last-1] += byte(n >> 8)
	address, _ := netip.AddrFromSlice(bytes)
	return address
}
