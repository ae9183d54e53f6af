package balancer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// choose picks the engine: the first that knows every delivery and scheduler
// asked for, that the host allows, and that then does carry the services, which
// is what try finds out. Better ones that could not be had are named with their
// reason.
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
		if ctx.Err() != nil { // it is our time that ran out; that says nothing of the candidate
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
	if desired.Engine != EngineAuto {
		return fmt.Sprintf("The config asks for %s.", candidate.Name)
	}
	if len(refused) == 0 {
		return fmt.Sprintf("%s is the best there is, and this host allows it.", candidate.Name)
	}
	names := make([]string, len(refused))
	for i, refusal := range refused {
		names[i] = refusal.Engine
	}
	return fmt.Sprintf("%s is the best that this host allows for these services; %s can't be had.", candidate.Name, strings.Join(names, ", "))
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

// suits says why an engine can't carry some of the services, if it can't.
func suits(candidate datapath.Candidate, services []Service) error {
	for i := range services {
		if _, err := resolve(candidate, services[i].Wanted); err != nil {
			return err
		}
	}
	return nil
}

// resolve fills in the delivery where it was left to the engine.
func resolve(candidate datapath.Candidate, service datapath.Service) (datapath.Delivery, error) {
	if service.Scheduler != "" && !slices.Contains(candidate.Schedulers, service.Scheduler) {
		return "", fmt.Errorf("it doesn't know the scheduler %q that service %s asks for", service.Scheduler, service.Key)
	}
	if service.Delivery != "" {
		if !slices.Contains(candidate.Deliveries, service.Delivery) {
			return "", fmt.Errorf("it doesn't know the delivery %q that service %s asks for", service.Delivery, service.Key)
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

// open says whether a delivery may be taken unasked. A tunnel needs backends
// that unwrap it, which nobody promised.
func open(delivery datapath.Delivery) bool { return !delivery.Wraps() }

// sentence is an error as people read it.
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
