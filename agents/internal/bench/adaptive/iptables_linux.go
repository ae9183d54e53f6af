package adaptive

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"fairlead.dev/agents/internal/netspace"
)

const iptablesProgram = "iptables"

// iptablesRules distribute a node's connections at random, as kube-proxy's do: the first rule has one chance in four, the
// second one in three of the rest, and so on.
func iptablesRules() (rules [][]string) {
	const chain = "SERVICE"
	at := translatedService
	rules = append(rules, []string{"-N", chain},
		[]string{"-A", "OUTPUT", "-d", at.Addr().String(), "-p", "tcp", "--dport", strconv.Itoa(int(at.Port())), "-j", chain})
	for i, backend := range overTCP.backends() {
		rule := []string{"-A", chain, "-p", "tcp"}
		if left := nodes - i; left > 1 {
			rule = append(rule, "-m", "statistic", "--mode", "random", "--probability", fmt.Sprintf("%.10f", 1/float64(left)))
		}
		rules = append(rules, append(rule, "-j", "DNAT", "--to-destination", backend.String()))
	}
	return rules
}

// translate adds the rules at all nodes.
func (l *lab) translate(ctx context.Context) error {
	for _, n := range l.nodes {
		if err := runIPTables(ctx, n.space, iptablesRules()...); err != nil {
			return err
		}
	}
	return nil
}

// stopTranslating removes the rules, and with its last chain the whole table.
func (l *lab) stopTranslating(ctx context.Context) error {
	var errs []error
	for _, n := range l.nodes {
		errs = append(errs, runIPTables(ctx, n.space, []string{"-F"}, []string{"-X"}))
	}
	return errors.Join(errs...)
}

func runIPTables(ctx context.Context, space *netspace.Space, rules ...[]string) error {
	for _, rule := range rules {
		if _, err := space.Run(ctx, iptablesProgram, append([]string{"-t", "nat"}, rule...)...); err != nil {
			return err
		}
	}
	return nil
}
