package nftables

import (
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

// Who is killed while it rehearses closes its socket, and says no more.
func TestARehearsalThatIsCutOffLeavesNoTable(t *testing.T) {
	privileged.Need(t)
	space, err := netspace.New(fmt.Sprintf("flnft%d", os.Getpid()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = space.Delete() })
	var sockets [2]*socket
	for i := range sockets {
		if err := space.Do(func() (err error) { sockets[i], err = openSocket(); return err }); err != nil {
			t.Fatal(err)
		}
	}
	defer sockets[1].close()
	e := newEngine(datapath.Options{Interface: "lo", Name: "cut"}, sockets[1])
	rehearsed := table{family: unix.NFPROTO_NETDEV, name: "rehearsed", ours: true}
	if err := sockets[0].commit([]message{rehearsed.add()}); err != nil {
		t.Fatal(err)
	}
	if there, err := e.isThere(rehearsed); !there || err != nil {
		t.Fatalf("it isn't there: %v", err)
	}
	sockets[0].close()
	if there, err := e.isThere(rehearsed); there || err != nil {
		t.Errorf("it stays: %v", err)
	}
}
