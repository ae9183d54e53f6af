package balancer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// choose picks the engine: the first that supports every requested delivery and
// scheduler, that the host supports, and that carries the services when try applies them.
// Better engines that aren't available are listed with the reason.
func choose(ctx context.Context, candidates []datapath.Candidate, options datapath.Options, desired Desired, try func(datapath.Candidate) error) (datapath.Choice, error) {
	var refused []datapath.Refusal
	for _, candidate := range candidates {
		if desired.Engine != EngineAuto && desired.Engine != candidate.Name {
			continue
		}
		err := suits(candidate, desired.Services)
		if err == nil {
			err = candidate.Preflight(options)
		}
		if err == nil {
			err = try(candidate)
		}
		if ctx.Err() != nil { // our own deadline expired, which isn't the candidate's fault
			return datapath.Choice{}, fmt.Errorf("choose an engine: %w", errors.Join(ctx.Err(), err))
		}
		if err != nil {
			refused = append(refused, datapath.Refusal{Engine: candidate.Name, Reason: sentence(err)})
			continue
		}
		return datapath.Choice{Candidate: candidate, Reason: reason(candidate, desired, refused), Refused: refused}, nil
	}
	return datapath.Choice{Refused: refused}, noEngine(desired, refused)
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

// suits returns why an engine can't carry some of the services, or nil.
func suits(candidate datapath.Candidate, services []Service) error {
	for i := range services {
		if _, err := resolve(candidate, services[i].Wanted); err != nil {
			return err
		}
	}
	return nil
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
