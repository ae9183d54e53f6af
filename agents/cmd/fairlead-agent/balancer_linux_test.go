package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A complete balancer as the lab runs it: a config file, no control plane, real sockets.
func TestABalancerRunsFromAFileAndFollowsIt(t *testing.T) {
	backend, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") })}
	go func() { _ = server.Serve(backend) }()
	defer server.Close()

	state := t.TempDir()
	file := filepath.Join(t.TempDir(), "config.json")
	const address = "127.0.0.93"
	port, pages := freeAt(t, address), fmt.Sprintf("127.0.0.1:%d", freeAt(t, "127.0.0.1"))
	write := func(service string) {
		t.Helper()
		content := fmt.Sprintf(`{"reportIntervalMs": 1000, "balancer": {"engine": "userspace", "services": [%s]}}`, service)
		if err := os.WriteFile(file+".new", []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(file+".new", file); err != nil {
			t.Fatal(err)
		}
	}
	service := func(port int) string {
		return fmt.Sprintf(`{"loadBalancerId": "lb_1", "address": %q, "port": %d, "protocol": "tcp",
			"healthCheck": {"type": "http", "path": "/", "intervalMs": 100},
			"backends": [{"id": "a", "address": "127.0.0.1", "port": %d, "weight": 1, "state": "active"}]}`,
			address, port, backend.Addr().(*net.TCPAddr).Port)
	}
	write(service(port))

	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- run(ctx, []string{
			"balancer", "--interface=lo", "--config=" + file, "--state=" + state, "--node-name=test/replica 1",
			"--metrics-listen=" + pages, "--flows-listen=off",
		})
	}()
	waitFor(t, "readiness", func() bool { return strings.HasPrefix(get("http://"+pages+"/readyz"), "200 All 1 services") })
	waitFor(t, "answer through the balancer", func() bool { return get(fmt.Sprintf("http://%s:%d/", address, port)) == "200 hello" })
	waitFor(t, "status with the backend up", func() bool {
		status := strings.ReplaceAll(get("http://"+pages+"/status"), " ", "")
		return strings.Contains(status, `"engine":"userspace"`) && strings.Contains(status, `"health":"up"`)
	})
	waitFor(t, "figures", func() bool {
		return strings.Contains(get("http://"+pages+"/metrics"), `fairlead_load_balancer_connections_new_per_second{load_balancer="lb_1"}`)
	})

	write(service(0)) // rejected; the previous config stays
	waitFor(t, "refusal in the status", func() bool {
		return strings.Contains(get("http://"+pages+"/status"), "port 0 can't be connected to; give 1 to 65535")
	})
	if got := get(fmt.Sprintf("http://%s:%d/", address, port)); got != "200 hello" {
		t.Errorf("after an invalid config: %s", got)
	}
	other := freeAt(t, address)
	write(service(other))
	waitFor(t, "the other port", func() bool { return get(fmt.Sprintf("http://%s:%d/", address, other)) == "200 hello" })
	cancel()
	if err := <-done; err != nil {
		t.Errorf("run: %v", err)
	}
}

func TestABalancerNeedsAnExistingInterface(t *testing.T) {
	err := run(t.Context(), []string{"balancer", "--interface=absent0", "--config=none", "--state=" + t.TempDir(), "--node-name=test"})
	if err == nil || !strings.Contains(err.Error(), `there is no interface "absent0" here`) {
		t.Errorf("got %v", err)
	}
}

func TestABalancerListensOnAReachableAddress(t *testing.T) {
	for _, listen := range []string{"0.0.0.0:7444", "[::]:7444", ":7444"} {
		err := run(t.Context(), []string{"balancer", "--interface=lo", "--config=none", "--state=" + t.TempDir(), "--node-name=test", "--flows-listen=" + listen})
		if err == nil || !strings.Contains(err.Error(), "isn't an address at which other replicas reach this one") {
			t.Errorf("%s: got %v", listen, err)
		}
	}
}

// get returns the status and the body, or the error.
func get(url string) string {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Get(url)
	if err != nil {
		return err.Error()
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%d %s", response.StatusCode, body)
}

func freeAt(t *testing.T, address string) int {
	t.Helper()
	listener, err := net.Listen("tcp", address+":0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

func TestReplicaNamesAreValidInFileNames(t *testing.T) {
	for in, want := range map[string]string{"node-1": "node-1", "../x": "___x", "pod a/b": "pod_a_b", "": "replica"} {
		if got := replicaName(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}
