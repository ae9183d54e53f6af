package balancer

import (
	"cmp"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/health"
)

const (
	checkEveryDefault = 2 * time.Second
	checkEveryLeast   = 100 * time.Millisecond
	checkEveryMost    = 5 * time.Minute
	timeoutDefault    = time.Second
	riseDefault       = 2
	fallDefault       = 3
	inARowMost        = 100
	payloadMost       = 1400 // of a datagram that no path fragments
)

// ParseCheck fills in defaults.
func ParseCheck(check *agentv1.HealthCheck) (*health.Check, error) {
	if check == nil {
		return nil, nil
	}
	parsed := &health.Check{
		Kind: health.Kind(check.GetType()), Path: check.GetPath(), Host: check.GetHost(),
		Send: string(check.GetSend()), Expect: string(check.GetExpect()),
		Rise: int(cmp.Or(check.GetRise(), riseDefault)), Fall: int(cmp.Or(check.GetFall(), fallDefault)),
	}
	if check.GetPort() > 65535 {
		return nil, fmt.Errorf("port %d can't be connected to; give 1 to 65535, or 0 for the backend's", check.GetPort())
	}
	parsed.Port = uint16(check.GetPort())
	if parsed.Rise > inARowMost || parsed.Fall > inARowMost {
		return nil, fmt.Errorf("rise %d and fall %d wait too long; give at most %d", parsed.Rise, parsed.Fall, inARowMost)
	}
	if err := parseTimes(parsed, check); err != nil {
		return nil, err
	}
	return parsed, parseKind(parsed, check)
}

func parseTimes(parsed *health.Check, check *agentv1.HealthCheck) error {
	parsed.Interval = checkEveryDefault
	if ms := check.GetIntervalMs(); ms != 0 {
		parsed.Interval = time.Duration(ms) * time.Millisecond
	}
	if parsed.Interval < checkEveryLeast || parsed.Interval > checkEveryMost {
		return fmt.Errorf("interval %v is out of range; give %v to %v", parsed.Interval, checkEveryLeast, checkEveryMost)
	}
	parsed.Timeout = min(timeoutDefault, parsed.Interval)
	if ms := check.GetTimeoutMs(); ms != 0 {
		parsed.Timeout = time.Duration(ms) * time.Millisecond
	}
	if parsed.Timeout > checkEveryMost {
		return fmt.Errorf("timeout %v is too long; give at most %v", parsed.Timeout, checkEveryMost)
	}
	return nil
}

func parseKind(parsed *health.Check, check *agentv1.HealthCheck) error {
	switch parsed.Kind {
	case health.TCP, health.GRPC:
	case health.HTTP, health.HTTPS:
		parsed.Path = cmp.Or(parsed.Path, "/")
		if !strings.HasPrefix(parsed.Path, "/") {
			return fmt.Errorf("path %q doesn't begin with a slash; give /%s", parsed.Path, parsed.Path)
		}
		if _, err := url.ParseRequestURI(parsed.Path); err != nil {
			return fmt.Errorf("path %q can't be asked for (%w); write a percent sign as %%25", parsed.Path, err)
		}
		for _, status := range check.GetStatuses() {
			if status < health.StatusLeast || status > health.StatusMost {
				return fmt.Errorf("status %d isn't an HTTP status; give %d to %d", status, health.StatusLeast, health.StatusMost)
			}
			parsed.Statuses.Add(int(status))
		}
	case health.UDP:
		if parsed.Send == "" {
			return fmt.Errorf("a check of the type %q has nothing to send; give the bytes that the backend answers", health.UDP)
		}
		if len(parsed.Send) > payloadMost || len(parsed.Expect) > payloadMost {
			return fmt.Errorf("%d bytes to send and %d to expect are too many; give at most %d", len(parsed.Send), len(parsed.Expect), payloadMost)
		}
	default:
		return fmt.Errorf("type %q is unknown; give tcp, http, https, grpc or udp", parsed.Kind)
	}
	return cmp.Or(refuseBlanks("path", parsed.Path), refuseBlanks("host", parsed.Host))
}

func refuseBlanks(field, text string) error {
	if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return fmt.Errorf("%s %q contains blanks or control characters; leave them out", field, text)
	}
	return nil
}

// checkTogether checks rules across fields. If the delivery is open, the least
// restrictive one applies.
func checkTogether(service Service) error {
	if err := checkEnds(service.Wanted); err != nil {
		return err
	}
	wanted := service.Wanted
	if wanted.Delivery == "" {
		wanted.Delivery = leastRestricted(wanted)
	}
	return wanted.Check(everyDelivery)
}

func leastRestricted(service datapath.Service) datapath.Delivery {
	for _, backend := range service.Backends {
		if backend.Address.Is4() != service.Key.Address.Is4() {
			return datapath.Proxy
		}
	}
	return datapath.NAT
}

// checkEnds rejects backends with the same endpoint, or with the service's own address.
func checkEnds(service datapath.Service) error {
	where := make(map[netip.AddrPort]string, len(service.Backends))
	for _, backend := range service.Backends {
		if backend.Address == service.Key.Address {
			return fmt.Errorf("backend %q: address %s is the service's own; give the backend's", backend.ID, backend.Address)
		}
		end := netip.AddrPortFrom(backend.Address, backend.Port)
		if other, taken := where[end]; taken && other != backend.ID {
			return fmt.Errorf("backend %q: is at %s port %d, as is backend %q; give each place once, with a greater weight if it should get more", backend.ID, backend.Address, backend.Port, other)
		}
		where[end] = backend.ID
	}
	return nil
}
