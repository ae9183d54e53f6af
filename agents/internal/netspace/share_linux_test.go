package netspace_test

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"fairlead.dev/agents/internal/privileged"
)

const freshVariable = "FAIRLEAD_TEST_FRESH_RUN"

// Both programs can delete their own namespaces, whichever started first.
func TestBesideIPNetns(t *testing.T) {
	privileged.Need(t)
	if os.Getenv(freshVariable) == "" {
		command := exec.Command("unshare", "--mount", "sh", "-c", `mount -t tmpfs tmpfs /run && exec "$0" "$@"`, os.Args[0], "-test.run=^TestBesideIPNetns$")
		command.Env = append(os.Environ(), freshVariable+"=1")
		if output, err := command.CombinedOutput(); err != nil {
			t.Fatalf("with a /run of its own: %v\n%s", err, output)
		}
		return
	}
	newSpace(t, "ours") // its end is what is tried
	theirs := fmt.Sprintf("fltest-%d-theirs", os.Getpid())
	for _, arguments := range [][]string{{"netns", "add", theirs}, {"netns", "delete", theirs}} {
		if output, err := exec.Command("ip", arguments...).CombinedOutput(); err != nil {
			t.Fatalf("ip %v: %v: %s", arguments, err, output)
		}
	}
}
