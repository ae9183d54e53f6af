package nftables

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

const rehearsesVariable = "FAIRLEAD_TEST_REHEARSES"

func TestAKilledRehearsalLeavesNoTable(t *testing.T) {
	options := datapath.Options{Interface: "lo", Name: "cut"}
	if os.Getenv(rehearsesVariable) != "" {
		rehearseUntilKilled(t, options)
		return
	}
	space := ownSpace(t)
	e := newEngine(options, socketIn(t, space))
	command := exec.Command("/proc/self/exe", "-test.run=^"+t.Name()+"$")
	command.Env = append(os.Environ(), rehearsesVariable+"=1")
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := space.StartBound(command); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	there, failure := e.isThere(e.rehearsed())
	_ = command.Process.Kill()
	_ = command.Wait()
	if !there || failure != nil || err != nil || strings.TrimSpace(line) != "there" {
		t.Fatalf("the table doesn't exist: %v, printed was %q, %v", failure, line, err)
	}
	for deadline := time.Now().Add(5 * time.Second); there; time.Sleep(time.Millisecond) {
		if there, err = e.isThere(e.rehearsed()); err != nil {
			t.Fatal(err)
		}
		if there && time.Now().After(deadline) {
			t.Fatal("it stays")
		}
	}
}

// rehearseUntilKilled keeps rehearsing until it is killed.
func rehearseUntilKilled(t *testing.T, options datapath.Options) {
	s, err := openSocket()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.commit([]message{newEngine(options, s).rehearsed().add()}); err != nil {
		t.Fatal(err)
	}
	os.Stdout.WriteString("there\n")
	select {}
}
