package adaptive

import (
	"errors"
	"os"
	"testing"
)

func isServed(v visits) bool { return v.Failed == 0 && len(v.Served) > 0 }

// The cable is cut, so that nothing of the node rejects a connect.
func TestANodeThatVanishesGetsNoConnections(t *testing.T) {
	nodes := newLab(t, 3)
	first, second := nodes[0], nodes[1]
	first.visitUntil("many are served by all", shop, many, func(v visits) bool { return isServed(v) && len(v.Served) == 3 })
	must(t, second.space.Down("eth0"))
	inARow := 0 // by their own rule, the programs try the node again after a second
	first.visitUntil("for four seconds, none fails", shop, many, func(v visits) bool {
		if inARow++; !isServed(v) || len(v.Served) != 2 {
			inARow = 0
		}
		return inARow == 4
	})
	must(t, second.space.Up("eth0"))
	first.visitUntil("it serves again", shop, many, func(v visits) bool { return isServed(v) && len(v.Served) == 3 })
}

func TestANodeWithoutABackendThatIsUpGetsNoConnections(t *testing.T) {
	nodes := newLab(t, 3)
	first := nodes[0]
	first.visitUntil("many are served by two", backup, many, func(v visits) bool { return isServed(v) && len(v.Served) == 2 })
	for _, n := range nodes[:2] {
		n.servers[1]()
	}
	first.visitUntil("standby serves all", backup, many, func(v visits) bool { return isServed(v) && v.share("n3") == 1 })
}

func TestTrafficContinuesWithoutTheAgent(t *testing.T) {
	nodes := newLab(t, 3)
	first := nodes[0]
	first.visitUntil("few are served here", shop, few, isLocal)
	first.stop()
	first.visitUntil("weights distribute, and none fails", shop, few, func(v visits) bool {
		if v.Failed > 0 {
			t.Errorf("%d connections failed: %s", v.Failed, v.Error)
		}
		return len(v.Served) > 1
	})
	first.startAgent(nodes)
	first.visitUntil("the next agent prefers this node", shop, few, isLocal)
}

func TestTheRoleLeavesNothingWhenItIsOff(t *testing.T) {
	nodes := newLab(t, 1)
	first := nodes[0]
	first.visitUntil("few are served here", shop, few, isLocal)
	first.stop()
	driver := first.newDriver()
	if changes, err := driver.Set(t.Context(), Desired{}); err != nil || changes == 0 {
		t.Errorf("%d changes (%v)", changes, err)
	}
	must(t, driver.Close())
	if _, err := os.Stat(first.pins); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of pins: %v", err)
	}
	if got := first.visit(shop, few); len(got.Served) > 0 {
		t.Errorf("a removed service: %+v", got)
	}
}
