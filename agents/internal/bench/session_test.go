package bench

import (
	"slices"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bench/load"
)

func TestTheCasesHaveEveryValueForEachResumption(t *testing.T) {
	whole := SessionPlan{Returns: 1, First: 1, Cases: EveryCase}.cases()
	few := SessionPlan{Returns: 1, First: 1, Cases: FewCases}.cases()
	if len(whole) != 72 || len(few) != 18 {
		t.Errorf("%d and %d cases", len(whole), len(few))
	}
	for _, list := range [][]ReturnCase{whole, few} {
		for _, resumption := range []load.Resumption{load.PSK, load.Ticket, load.ID} {
			own := slices.DeleteFunc(slices.Clone(list), func(c ReturnCase) bool { return c.Resumption != resumption })
			for name, has := range map[string]func(ReturnCase) bool{
				"IPv4": func(c ReturnCase) bool { return c.Family == 4 }, "IPv6": func(c ReturnCase) bool { return c.Family == 6 },
				"timestamps": func(c ReturnCase) bool { return c.Timestamps }, "no timestamps": func(c ReturnCase) bool { return !c.Timestamps },
				"2 packets": func(c ReturnCase) bool { return c.HelloPackets == 2 }, "5 packets": func(c ReturnCase) bool { return c.HelloPackets == 5 },
				"loss": func(c ReturnCase) bool { return c.Change == Loss }, "backends": func(c ReturnCase) bool { return c.Change == BackendChange },
				"replicas": func(c ReturnCase) bool { return c.Change == ReplicaFailure },
			} {
				if !slices.ContainsFunc(own, has) {
					t.Errorf("%s of %d cases: none has %s", resumption, len(list), name)
				}
			}
		}
	}
	one := SessionPlan{Returns: 1, First: 1, Cases: OneCase}.cases()
	kinds, families, changes := map[load.Resumption]int{}, map[int]int{}, map[Change]int{}
	for _, c := range one {
		kinds[c.Resumption]++
		families[c.Family]++
		changes[c.Change]++
	}
	if len(one) != 6 || len(kinds) != 3 || len(families) != 2 || len(changes) != 4 {
		t.Errorf("%+v", one)
	}
	if lossy := (SessionPlan{Returns: 1, First: 1, Cases: FewCases, Changes: []Change{Loss}}).cases(); len(lossy) != 3 {
		t.Errorf("%d cases with loss", len(lossy))
	}
	for _, test := range []struct{ first, last, count int }{{1, 0, 72}, {1, 20, 20}, {61, 72, 12}, {61, 100, 12}, {73, 0, 0}} {
		part := SessionPlan{Returns: 1, Cases: EveryCase, First: test.first, Last: test.last}.cases()
		if len(part) != test.count || test.count > 0 && part[0] != whole[test.first-1] {
			t.Errorf("cases %d to %d are %d", test.first, test.last, len(part))
		}
	}
	if none := (SessionPlan{Rounds: 1, First: 1}).cases(); len(none) > 0 {
		t.Errorf("%d cases without returns", len(none))
	}
}

func TestAPlanOfSessionsIsChecked(t *testing.T) {
	valid := SessionPlan{Rounds: 1, For: time.Second, Connections: 1, Clients: 1, Cases: FewCases, First: 1}
	if err := valid.Check(); err != nil {
		t.Error(err)
	}
	for _, spoil := range []func(*SessionPlan){
		func(p *SessionPlan) { p.Rounds = 0 }, func(p *SessionPlan) { p.Clients = 0 },
		func(p *SessionPlan) { p.Connections = 0 }, func(p *SessionPlan) { p.For = 0 },
		func(p *SessionPlan) { p.First = 0 }, func(p *SessionPlan) { p.First, p.Last = 3, 2 }, func(p *SessionPlan) { p.FloodRate = 1 },
		func(p *SessionPlan) { p.NamesEvery = time.Second }, func(p *SessionPlan) { p.DataRounds = 1 }, func(p *SessionPlan) { p.DataRounds = -1 },
		func(p *SessionPlan) { p.DataRounds, p.Sizes = 1, []int{1, mostData + 1} },
		func(p *SessionPlan) { p.Cases = "most" }, func(p *SessionPlan) { p.Changes = []Change{"nodes"} }, func(p *SessionPlan) { p.Returns = 1 },
	} {
		p := valid
		if spoil(&p); p.Check() == nil {
			t.Errorf("%+v is accepted", p)
		}
	}
}
