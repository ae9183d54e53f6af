package serverstest

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// killed is set in the process that the test kills. "at" precedes the server's address in what it prints.
const killed, at = "FAIRLEAD_TEST_KILLED", "server at "

func TestAServerEndsWithTheProcessOfItsTest(t *testing.T) {
	if os.Getenv(killed) != "" {
		fmt.Printf("%s%s\n", at, Nginx(t, "").Address)
		time.Sleep(time.Minute) // it is killed earlier
		return
	}
	find(t, "nginx")
	command := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	command.Env = append(os.Environ(), killed+"=1", "TMPDIR="+t.TempDir()) // it removes no files
	command.Stderr = os.Stderr
	printed, err := command.StdoutPipe()
	must(t, err)
	must(t, command.Start())
	address := ""
	for lines := bufio.NewScanner(printed); address == "" && lines.Scan(); {
		_, address, _ = strings.Cut(lines.Text(), at)
	}
	_ = command.Process.Kill()
	_ = command.Wait()
	if address == "" {
		t.Fatal("the server didn't start")
	}
	for deadline := time.Now().Add(startsWithin); ; time.Sleep(20 * time.Millisecond) {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
		if err != nil {
			return
		}
		_ = conn.Close()
		if time.Now().After(deadline) {
			t.Fatalf("the server at %s is still running", address)
		}
	}
}
