package signals

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// The server's own measure of each request is the time in which it computed, which is longer than
// the CPU time when other programs take the CPU. The counts must agree with it at any load.
func TestTheServiceTimeIsThatOfTheServer(t *testing.T) {
	p := newPlace(t).open()
	config := p.config(datapath.TCP)
	config.Services[0].Cores = 1
	must(t, p.signals.Set(config))
	server := exec.Command("/proc/self/exe")
	server.Env = append(os.Environ(), servesForTest+"="+burns)
	must(t, p.server.Start(server))
	t.Cleanup(func() { _ = server.Wait() })
	t.Cleanup(func() { _ = server.Process.Kill() })
	eventually(t, "the server", func() bool {
		conn, err := p.tryDial(client4, server4)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	})
	for _, clients := range []int{1, 2, 8, 32} {
		t.Run(fmt.Sprintf("%d clients", clients), func(t *testing.T) { agreeOnServiceTime(t, p, clients) })
	}
}

// agreeOnServiceTime tries again while the machine is busy, as it is when tests of other packages open thousands of
// connections: a server that waits for a CPU to begin a request with isn't computing yet.
func agreeOnServiceTime(t *testing.T, p *place, clients int) {
	const most = 0.1
	for end := time.Now().Add(time.Minute); ; {
		before := p.counts()
		computed := burn(t, p, clients)
		eventually(t, "no request in flight", func() bool { return p.counts().Total().InFlight == 0 })
		after := p.counts()
		measured := float64(after.Busy-before.Busy) / float64(after.Total().Done-before.Total().Done)
		wrong := measured/computed - 1
		t.Logf("computed %.3f ms, measured %.3f ms: %+.1f %%", computed/1e6, measured/1e6, wrong*100)
		if wrong >= -most && wrong <= most {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the service time is wrong by %+.0f %%", wrong*100)
		}
	}
}

// burn makes requests and returns the mean time for which the server computed, in nanoseconds.
func burn(t *testing.T, p *place, clients int) float64 {
	const requests = 256
	var all struct {
		sync.Mutex
		computed float64
	}
	var ended sync.WaitGroup
	for range clients {
		ended.Go(func() {
			for range requests / clients {
				computed, err := burnOnce(p)
				if err != nil {
					t.Error(err)
				}
				all.Lock()
				all.computed += computed
				all.Unlock()
			}
		})
	}
	ended.Wait()
	return all.computed / float64(requests/clients*clients)
}

func burnOnce(p *place) (computed float64, err error) {
	conn, err := p.tryDial(client4, server4)
	if err != nil {
		return 0, err
	}
	defer func(conn *net.TCPConn) { _ = conn.Close() }(conn)
	if _, err := conn.Write([]byte("q")); err != nil {
		return 0, err
	}
	answer, err := io.ReadAll(conn)
	if err != nil {
		return 0, err
	}
	_, err = fmt.Sscan(string(answer), &computed)
	return computed, err
}
