package nftables_test

import (
	"fmt"
	"testing"

	gnftables "github.com/google/nftables"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/balancer/datapath/nftables"
)

func TestContract(t *testing.T) {
	datapathtest.Run(t, datapathtest.Subject{
		Candidate: nftables.Candidate(),
		FlowsOn:   true, SeesLive: true, Agrees: true, KeepsFlows: true,
		Damages: []datapathtest.Damage{
			{Name: "everything flushed", Do: func(datapath.Options) error {
				return change(func(c *gnftables.Conn) error { c.FlushRuleset(); return nil })
			}},
			{Name: "a rule deleted", Do: func(options datapath.Options) error {
				return eachOfOurs(options, func(c *gnftables.Conn, table *gnftables.Table) error {
					chains, err := c.ListChainsOfTableFamily(table.Family)
					if err != nil {
						return err
					}
					for _, chain := range chains {
						rules, err := c.GetRules(table, chain)
						if err != nil {
							return err
						}
						if chain.Table.Name == table.Name && chain.Hooknum == nil && len(rules) > 0 {
							return c.DelRule(rules[0])
						}
					}
					return fmt.Errorf("table %s has no rules in chains without a hook", table.Name)
				})
			}},
			{Name: "maps emptied", Do: func(options datapath.Options) error {
				return eachOfOurs(options, func(c *gnftables.Conn, table *gnftables.Table) error {
					sets, err := c.GetSets(table)
					for _, set := range sets {
						c.FlushSet(set)
					}
					return err
				})
			}},
		},
	})
}

func change(do func(*gnftables.Conn) error) error {
	c, err := gnftables.New()
	if err != nil {
		return err
	}
	if err := do(c); err != nil {
		return err
	}
	return c.Flush()
}

func eachOfOurs(options datapath.Options, do func(*gnftables.Conn, *gnftables.Table) error) error {
	return change(func(c *gnftables.Conn) error {
		tables, err := c.ListTables()
		if err != nil {
			return err
		}
		for _, table := range tables {
			if table.Name != "fairlead_"+options.Name {
				continue
			}
			if err := do(c, table); err != nil {
				return err
			}
		}
		return nil
	})
}
