package datapath

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
)

// Outcome is the result of a Set.
type Outcome struct {
	Changes  int
	Failures []Failure
}

// Failure is a service, or one of its backends, that could not be set. Everything else is.
type Failure struct {
	Service Key
	Backend string // its ID; "" for the whole service
	Reason  string // continues a sentence about it: "has no route: network is unreachable"

	// Previous is set when the service is carried as it was set before. A new one is not
	// carried at all.
	Previous bool

	// OfEngine is set when another engine may succeed.
	OfEngine bool

	// OfRoutes is set when a change of routes may cure it.
	OfRoutes bool
}

// RoutesError is an error that a change of routes may cure.
type RoutesError struct{ Err error }

func (e RoutesError) Error() string { return e.Err.Error() }

func (e RoutesError) Unwrap() error { return e.Err }

// OfRoutes marks failures as those that a change of routes may cure.
func OfRoutes(failures []Failure) []Failure {
	for i := range failures {
		failures[i].OfRoutes = true
	}
	return failures
}

func (f Failure) String() string {
	if f.Backend == "" {
		return fmt.Sprintf("service %s: %s", f.Service, f.Reason)
	}
	return fmt.Sprintf("service %s: backend %q %s", f.Service, f.Backend, f.Reason)
}

// Err returns all failures as one error, or nil.
func (o Outcome) Err() error {
	errs := make([]error, len(o.Failures))
	for i, failure := range o.Failures {
		errs[i] = errors.New(failure.String())
	}
	return errors.Join(errs...)
}

// Whole returns the changes of a Set that must not leave anything out.
func Whole(outcome Outcome, err error) (changes int, _ error) {
	return outcome.Changes, errors.Join(err, outcome.Err())
}

// Sift returns the services that an engine can set, and why not the others: it supports
// only the known deliveries, and also adds its own conditions. A service that fails stays
// as it was carried before, if it was.
func Sift(wanted, carried []Service, known []Delivery, also func(*Service) error) (good []Service, failures []Failure) {
	seen := make(map[Key]bool, len(wanted))
	before := make(map[Key]*Service, len(carried))
	for i := range carried {
		before[carried[i].Key] = &carried[i]
	}
	for i := range wanted {
		service := &wanted[i]
		if seen[service.Key] {
			failures = append(failures, Failure{Service: service.Key, Reason: "is defined twice; give each address, port and protocol once", Previous: true})
			continue
		}
		seen[service.Key] = true
		err := service.Check(known)
		if err == nil {
			err = also(service)
		}
		_, ofRoutes := errors.AsType[RoutesError](err)
		if err == nil {
			good = append(good, *service)
			continue
		}
		was, carries := before[service.Key]
		if carries = carries && was.Check(known) == nil && also(was) == nil; carries {
			good = append(good, was.WithHealth(service))
		}
		failures = append(failures, Failure{Service: service.Key, Reason: err.Error(), Previous: carries, OfEngine: true, OfRoutes: ofRoutes})
	}
	return good, failures
}

// WithHealth returns the service with the health of the same backends in another version.
func (s *Service) WithHealth(other *Service) Service {
	type place struct {
		id      string
		address netip.AddrPort
	}
	placeOf := func(b Backend) place { return place{b.ID, netip.AddrPortFrom(b.Address, b.Port)} }
	up := make(map[place]bool, len(other.Backends))
	for _, b := range other.Backends {
		up[placeOf(b)] = b.Up
	}
	out := *s
	out.Backends = slices.Clone(s.Backends)
	for i, b := range out.Backends {
		if is, there := up[placeOf(b)]; there {
			out.Backends[i].Up = is
		}
	}
	return out
}

// Down returns the service with these of its backends down, by index.
func (s Service) Down(indexes ...int) Service {
	s.Backends = slices.Clone(s.Backends)
	for _, i := range indexes {
		s.Backends[i].Up = false
	}
	return s
}
