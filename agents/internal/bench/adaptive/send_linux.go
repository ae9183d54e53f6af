package adaptive

import (
	"errors"
	"time"
)

// orderer is a part of the lab that obeys.
type orderer interface {
	order(order, result any) error
}

// order is the turn of a node's clients, without what depends on the lab.
func (s *Scenario) order(node int, subject string, round int, begin time.Time, warmup, length time.Duration) turnOrder {
	return turnOrder{
		Subject: subject, Start: begin, Warmup: warmup, For: length,
		Users: s.users(node), Rate: s.rate(node), Seed: uint64(round*nodes + node),
	}
}

// sendTurn gives each node's clients their order. The returned function waits for all results.
func sendTurn(orders []turnOrder, clientsOf func(node int) orderer) (await func() ([]turnResult, error)) {
	type outcome struct {
		node   int
		result turnResult
		err    error
	}
	outcomes := make(chan outcome, len(orders))
	for node, order := range orders {
		go func() {
			var result turnResult
			err := clientsOf(node).order(order, &result)
			outcomes <- outcome{node, result, err}
		}()
	}
	return func() ([]turnResult, error) {
		results, errs := make([]turnResult, len(orders)), []error{}
		for range orders {
			one := <-outcomes
			results[one.node] = one.result
			errs = append(errs, one.err)
		}
		return results, errors.Join(errs...)
	}
}
