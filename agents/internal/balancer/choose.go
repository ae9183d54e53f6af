package balancer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// choose picks the engine: the first that supports every requested delivery and
// scheduler, that the host supports, and that carries the services when try applies them.
// Better engines that aren't available are listed with the reason. If no engine carries
// all services, it picks one that carries most of them, the current one if possible.
func choose(ctx context.Context, candidates []datapath.Candidate, options datapath.Options, desired Desired, current string, try func(_ datapath.Candidate, partly bool) error) (datapath.Choice, error) {
	var refused []datapath.Refusal
	var partial []partialChoice
	for _, candidate := range candidates {
		if desired.Engine != EngineAuto && desired.Engine != candidate.Name {
			continue
		}
		without := unsuited(candidate, desired.Services)
		err := errors.Join(without...)
		if err == nil {
			err = candidate.Preflight(options)
		}
		if err == nil {
			err = try(candidate, false)
		}
		if ctx.Err() != nil { // our own deadline expired, which isn't the candidate's fault
			return datapath.Choice{}, fmt.Errorf("choose an engine: %w", errors.Join(ctx.Err(), err))
		}
		if err == nil {
			return datapath.Choice{Candidate: candidate, Reason: reason(candidate, desired, refused), Refused: refused}, nil
		}
		refused = append(refused, datapath.Refusal{Engine: candidate.Name, Reason: sentence(err)})
		missing := len(without)
		if partly, ok := errors.AsType[partlyError](err); ok {
			missing = len(partly.services)
		}
		if missing > 0 && missing < len(desired.Services) {
			partial = append(partial, partialChoice{candidate, missing})
		}
	}
	if choice, ok := choosePartly(partial, options, len(desired.Services), current, try); ok {
		choice.Refused = slices.DeleteFunc(refused, func(r datapath.Refusal) bool { return r.Engine == choice.Candidate.Name })
		return choice, nil
	}
	return datapath.Choice{Refused: refused}, noEngine(desired, refused)
}

// partialChoice is a candidate that doesn't carry all services.
type partialChoice struct {
	candidate datapath.Candidate
	missing   int // number of services
}

func choosePartly(partial []partialChoice, options datapath.Options, services int, current string, try func(_ datapath.Candidate, partly bool) error) (datapath.Choice, bool) {
	slices.SortStableFunc(partial, func(a, b partialChoice) int {
		return cmp.Or(cmp.Compare(a.missing, b.missing), compareBool(b.candidate.Name == current, a.candidate.Name == current))
	})
	for _, one := range partial {
		if one.candidate.Preflight(options) == nil && try(one.candidate, true) == nil {
			why := fmt.Sprintf("%s carries %d of %d services, and no engine that may run here carries more.", one.candidate.Name, services-one.missing, services)
			return datapath.Choice{Candidate: one.candidate, Reason: why, Partly: true}, true
		}
	}
	return datapath.Choice{}, false
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func reason(candidate datapath.Candidate, desired Desired, refused []datapath.Refusal) string {
	why := whyChosen(candidate, desired, refused)
	if candidate.Detail == nil {
		return why
	}
	return why + " " + candidate.Detail()
}

func whyChosen(candidate datapath.Candidate, desired Desired, refused []datapath.Refusal) string {
	if desired.Engine != EngineAuto {
		return fmt.Sprintf("The config requests %s.", candidate.Name)
	}
	if len(refused) == 0 {
		return fmt.Sprintf("%s is the best engine, and this host supports it.", candidate.Name)
	}
	names := make([]string, len(refused))
	for i, refusal := range refused {
		names[i] = refusal.Engine
	}
	return fmt.Sprintf("%s is the best engine that this host supports for these services. Not available: %s.", candidate.Name, strings.Join(names, ", "))
}

func noEngine(desired Desired, refused []datapath.Refusal) error {
	if len(refused) == 0 {
		return fmt.Errorf("engine %q isn't part of this agent; give %q or another one", desired.Engine, EngineAuto)
	}
	reasons := make([]string, len(refused))
	for i, refusal := range refused {
		reasons[i] = refusal.Engine + ": " + refusal.Reason
	}
	return fmt.Errorf("no engine can carry these services: %s", strings.Join(reasons, " "))
}

// unsuited returns why an engine can't carry some of the services.
func unsuited(candidate datapath.Candidate, services []Service) (errs []error) {
	for i := range services {
		if services[i].Invalid != "" && !services[i].Former {
			continue
		}
		if _, err := resolveService(candidate, &services[i]); err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// resolveService picks the delivery of a service. One that falls back to a proxy has that next to the
// engine.
func resolveService(candidate datapath.Candidate, service *Service) (datapath.Delivery, error) {
	if service.Session != nil && service.Wanted.Delivery == datapath.Proxy {
		return datapath.Proxy, nil
	}
	return resolve(candidate, service.Wanted)
}

// resolve picks the delivery if the spec leaves it to the engine.
func resolve(candidate datapath.Candidate, service datapath.Service) (datapath.Delivery, error) {
	if service.Scheduler != "" && !slices.Contains(candidate.Schedulers, service.Scheduler) {
		return "", fmt.Errorf("it doesn't support the scheduler %q of service %s", service.Scheduler, service.Key)
	}
	if service.Delivery != "" {
		if !slices.Contains(candidate.Deliveries, service.Delivery) {
			return "", fmt.Errorf("it doesn't support the delivery %q of service %s", service.Delivery, service.Key)
		}
		return service.Delivery, nil
	}
	for _, delivery := range candidate.Deliveries {
		service.Delivery = delivery
		if datapath.Check([]datapath.Service{service}, candidate.Deliveries) == nil && open(delivery) {
			return delivery, nil
		}
	}
	return "", fmt.Errorf("it has no delivery that suits the ports and addresses of service %s", service.Key)
}

// open reports whether a delivery may be picked by default. A tunnel needs backends that
// unwrap it, so it must be requested.
func open(delivery datapath.Delivery) bool { return !delivery.Wraps() }

// sentence formats an error as a sentence.
func sentence(err error) string {
	text := strings.ReplaceAll(err.Error(), "\n", "; ")
	if text == "" {
		return "Unknown."
	}
	first := strings.ToUpper(text[:1]) + text[1:]
	if strings.HasSuffix(first, ".") {
		return first
	}
	return first + "."
}
