package peer

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/privileged"
)

func config(service string, backends ...*agentv1.BalancerBackend) *agentv1.NodeConfig {
	host, _, _ := net.SplitHostPort(service)
	return &agentv1.NodeConfig{Balancer: &agentv1.BalancerRole{Services: []*agentv1.BalancerService{
		{Address: host, Port: port(service), Protocol: "tcp", Backends: backends},
	}}}
}

func port(address string) uint32 { return uint32(netAddr(address).Port) }

func netAddr(address string) *net.TCPAddr {
	parsed, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		panic(err)
	}
	return parsed
}

func backendAt(name, address, state string) *agentv1.BalancerBackend {
	return &agentv1.BalancerBackend{Id: name, Address: netAddr(address).IP.String(), Port: port(address), Weight: 1, State: state}
}

func TestEachPeerSupportsBothFamiliesAndLeavesOutDrainingBackends(t *testing.T) {
	privileged.Need(t)
	for _, service := range []string{"127.0.0.1:9081", "[::1]:9081"} {
		one, other, third := "127.0.0.1:9082", "127.0.0.2:9082", "127.0.0.3:9082"
		if strings.HasPrefix(service, "[") {
			one, other, third = "[fd00::1]:9082", "[fd00::2]:9082", "[fd00::3]:9082"
		}
		wanted := config(service, backendAt("a", one, "active"), backendAt("b", other, "filling"), backendAt("c", third, "draining"))
		for _, kind := range all() {
			t.Run(kind.Name+" "+service, func(t *testing.T) {
				folder := t.TempDir()
				if err := kind.prepare(folder); err != nil {
					t.Fatal(err)
				}
				text, err := kind.render(folder, wanted)
				if err != nil {
					t.Fatal(err)
				}
				for address, is := range map[string]bool{one: true, other: true, third: false} {
					if got := strings.Contains(string(text), netAddr(address).IP.String()); got != is {
						t.Errorf("%s is in it: %t\n%s", address, got, text)
					}
				}
				file := filepath.Join(folder, "config")
				if err := os.WriteFile(file, text, 0o600); err != nil {
					t.Fatal(err)
				}
				if err := Lacking(kind); err != nil {
					t.Fatal(err)
				}
				check := exec.Command("nft", "--check", "--file", file)
				if d, is := kind.open().(*daemon); is {
					check = d.check(file)
				}
				if out, err := check.CombinedOutput(); err != nil {
					t.Errorf("%v: %s\n%s", err, out, text)
				}
			})
		}
	}
}

func TestAPeerFollowsTheConfigAndKeepsItsConnections(t *testing.T) {
	privileged.Need(t)
	for _, name := range []string{"haproxy", "nginx"} { // the others read HTTP, or are in the kernel
		t.Run(name, func(t *testing.T) {
			service, listen := freePort(t), freePort(t)
			folder := t.TempDir()
			options := Options{Config: filepath.Join(folder, "config.json"), Listen: listen, Folder: filepath.Join(folder, "peer")}
			write(t, options.Config, config(service, backendAt("a", server(t, "a"), "active")))
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- Run(ctx, name, options) }()
			t.Cleanup(func() {
				stop()
				if err := <-ended; err != nil {
					t.Error(err)
				}
			})
			await(t, "readiness", func() bool {
				response, err := http.Get("http://" + listen + "/readyz")
				return err == nil && response.Body.Close() == nil && response.StatusCode == http.StatusOK
			})
			var kept net.Conn
			await(t, "an answer of a", func() bool { var who string; kept, who = connect(service); return who == "a" })
			defer kept.Close()
			b := backendAt("b", server(t, "b"), "active")
			write(t, options.Config, config(service, b))
			await(t, "an answer of b", func() bool {
				conn, who := connect(service)
				if conn != nil {
					_ = conn.Close()
				}
				return who == "b"
			})
			if who := again(kept); who != "a" {
				t.Errorf("the earlier connection got a reply from %q", who)
			}
		})
	}
}

func TestAnUnknownPeerIsReportedWithTheValidNames(t *testing.T) {
	err := Run(t.Context(), "pigeons", Options{})
	if err == nil || !strings.Contains(err.Error(), `"pigeons"`) || !strings.Contains(err.Error(), "haproxy") {
		t.Errorf("%v", err)
	}
}

func TestMissingPackagesAreReportedInOneSentence(t *testing.T) {
	err := Lacking(Kind{needs: []need{{"/nowhere/haproxy", "haproxy"}}}, Kind{needs: []need{{"/nowhere/haproxy", "haproxy"}, {"/nowhere/nft", "nftables"}, {"/", "base-files"}}})
	if err == nil || !strings.Contains(err.Error(), "apt-get install -y haproxy nftables`") {
		t.Errorf("%v", err)
	}
}

func TestBackendsAreCheckedWhenConfigured(t *testing.T) {
	kind, err := Find("haproxy")
	if err != nil {
		t.Fatal(err)
	}
	wanted := config("192.0.2.1:80", backendAt("a", "192.0.2.2:80", "active"))
	for _, check := range []*agentv1.HealthCheck{nil, {Type: "tcp"}} {
		wanted.Balancer.Services[0].HealthCheck = check
		if text, err := kind.render(t.TempDir(), wanted); err != nil || strings.Contains(string(text), "default-server check") != (check != nil) {
			t.Errorf("%v: %v\n%s", check, err, text)
		}
	}
}

func TestUDPServicesNeedAPeerWithUDP(t *testing.T) {
	wanted := config("192.0.2.1:53", backendAt("a", "192.0.2.2:53", "active"))
	wanted.Balancer.Services[0].Protocol = "udp"
	for name, want := range map[string]string{"nginx": "listen 192.0.2.1:53 udp reuseport;", "nftables": "ip daddr 192.0.2.1 udp dport 53 dnat"} {
		kind, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := kind.render(t.TempDir(), wanted); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
	kind, err := Find("haproxy")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kind.render(t.TempDir(), wanted); err == nil || !strings.Contains(err.Error(), "HAProxy tcp carries no UDP") {
		t.Errorf("%v", err)
	}
}

func write(t *testing.T, path string, wanted *agentv1.NodeConfig) {
	t.Helper()
	data, err := protojson.Marshal(wanted)
	if err == nil {
		err = os.WriteFile(path+".new", data, 0o600)
	}
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// server replies to each byte with its name.
func server(t *testing.T, name string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				for one := make([]byte, 1); ; {
					if _, err := io.ReadFull(conn, one); err != nil {
						return
					}
					if _, err := io.WriteString(conn, name); err != nil {
						return
					}
				}
			}()
		}
	}()
	return listener.Addr().String()
}

func connect(service string) (net.Conn, string) {
	conn, err := net.DialTimeout("tcp", service, time.Second)
	if err != nil {
		return nil, ""
	}
	who := again(conn)
	if who == "" {
		_ = conn.Close()
		return nil, ""
	}
	return conn, who
}

func again(conn net.Conn) string {
	_ = conn.SetDeadline(time.Now().Add(2 * time.Second))
	answer := make([]byte, 1)
	if _, err := conn.Write([]byte{'?'}); err != nil {
		return ""
	}
	if _, err := io.ReadFull(conn, answer); err != nil {
		return ""
	}
	return string(answer)
}

func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("no %s within a minute", what)
		}
	}
}
