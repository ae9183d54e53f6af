package peer

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bench/benchlab"
	"fairlead.dev/agents/internal/lab"
	"fairlead.dev/agents/internal/lab/topologies"
	"fairlead.dev/agents/internal/privileged"
)

func TestPeersThatReadHTTPServeInALab(t *testing.T) {
	privileged.Need(t)
	folder, err := os.MkdirTemp("", "flpeer") // not TempDir: a socket path is limited to 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	build := exec.Command("go", "build", "-o", folder+"/", "./cmd/fairlead-agent", "./cmd/fairlead-bench")
	build.Dir = "../../.."
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as in a release
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	demo, _ := topologies.Find("demo")
	for i, name := range []string{"haproxy-http", "nginx-http"} {
		t.Run(name, func(t *testing.T) {
			command := fmt.Sprintf(`command: [%q, peer, %s, --config, "{config}", --listen, "{listen}"]`, filepath.Join(folder, "fairlead-bench"), name)
			l, err := benchlab.Up(t.Context(), filepath.Join(folder, "fairlead-agent"), folder, fmt.Sprintf("flpr%dx%d", os.Getpid(), i), string(demo), command)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := l.Down(); err != nil {
					t.Error(err)
				}
			})
			status, err := l.Await(t.Context(), "answers of all pods", time.Minute, func(status lab.Status) bool {
				answered := map[string]bool{}
				for _, traffic := range status.Traffic {
					for pod := range traffic.Backends {
						answered[pod] = true
					}
				}
				return len(answered) == 3
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, traffic := range status.Traffic {
				if traffic.Broken > 0 {
					t.Errorf("%d connections broke: %s", traffic.Broken, traffic.LastError)
				}
			}
		})
	}
}
