package sockets

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// The test's program is also the processes that tests kill.
const roleVariable = "FAIRLEAD_TEST_ROLE"

const (
	application = "application" // ADDRESS COUNT: holds connections
	agent       = "agent"       // OPTIONS SERVICES, as JSON: sets services
)

func play(role string) int {
	if err := playing(role); err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("ready")
	time.Sleep(time.Hour) // until it is killed; Go would end a program that waits for nothing
	return 0
}

func playing(role string) error {
	arguments := strings.SplitN(os.Getenv(roleVariable+"_ARGUMENTS"), "\n", 2)
	if role == application {
		count, err := strconv.Atoi(arguments[1])
		for range count {
			var conn net.Conn
			if conn, err = net.Dial("tcp", arguments[0]); err != nil {
				return err
			}
			held = append(held, conn)
		}
		return err
	}
	var options Options
	var services []Service
	if err := json.Unmarshal([]byte(arguments[0]), &options); err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(arguments[1]), &services); err != nil {
		return err
	}
	engine, err := Open(options)
	if err != nil {
		return err
	}
	running = engine
	_, err = datapath.Whole(engine.Set(services))
	return err
}

var (
	held    []net.Conn
	running *Engine
)

// start starts a role, and returns when it is ready. kill kills it.
func start(t *testing.T, role string, arguments ...string) (kill func()) {
	t.Helper()
	command := exec.Command("/proc/self/exe")
	command.Env = append(os.Environ(), roleVariable+"="+role, roleVariable+"_ARGUMENTS="+strings.Join(arguments, "\n"))
	output, err := command.StdoutPipe()
	must(t, err)
	must(t, command.Start())
	dead := false
	kill = func() {
		if !dead {
			dead = true
			_ = command.Process.Kill()
			_ = command.Wait()
		}
	}
	t.Cleanup(kill)
	if line, _ := bufio.NewReader(output).ReadString('\n'); line != "ready\n" {
		t.Fatalf("the %s isn't ready: %q", role, line)
	}
	return kill
}

func asJSON(t *testing.T, value any) string {
	t.Helper()
	out, err := json.Marshal(value)
	must(t, err)
	return string(out)
}

func addressOfKey(key datapath.Key) string { return netip.AddrPortFrom(key.Address, key.Port).String() }
