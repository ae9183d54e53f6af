package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp/bgptest"
	"fairlead.dev/agents/internal/exposition/expositiontest"
	"fairlead.dev/agents/internal/fib"
	"fairlead.dev/agents/internal/router"
)

const (
	asAgent = "FAIRLEAD_TEST_AS_AGENT" // this binary runs as the agent
	session = `"as": 65021, "holdSeconds": 3`
)

func TestMain(m *testing.M) {
	if os.Getenv(asAgent) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

var offered = netip.MustParsePrefix("203.0.113.7/32")

// member is an agent process on the LAN.
type member struct {
	*bgptest.Host
	folder  string
	command *exec.Cmd
	printed transcript
}

func (m *member) configure(t *testing.T, config string) {
	t.Helper()
	path := filepath.Join(m.folder, "config.json")
	if err := os.WriteFile(path+".new", []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

func (m *member) start(t *testing.T, role string, more ...string) {
	t.Helper()
	m.command = exec.Command("/proc/self/exe", append([]string{
		role, "--interface=" + bgptest.Interface, "--config=" + filepath.Join(m.folder, "config.json"),
		"--state=" + filepath.Join(m.folder, role), "--node-name=" + m.Name, "--metrics-listen=127.0.0.1:9101",
	}, more...)...)
	m.command.Env = append(os.Environ(), asAgent+"=yes")
	m.command.Stdout, m.command.Stderr = &m.printed, &m.printed
	if err := m.Space.Start(m.command); err != nil {
		t.Fatal(err)
	}
}

func (m *member) end(t *testing.T, signal syscall.Signal) {
	t.Helper()
	_ = m.command.Process.Signal(signal)
	if err := m.command.Wait(); signal == syscall.SIGTERM && err != nil {
		t.Errorf("%s exited with %v", m.Name, err)
	}
	m.command = nil
}

// page is an HTTP page of the member; empty while it doesn't answer.
func (m *member) page(path string) string {
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: m.Space.Dial}}
	response, err := client.Get("http://127.0.0.1:9101/" + path)
	if err != nil {
		return ""
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	return string(body)
}

func newMember(t *testing.T, lan *bgptest.LAN, name string) *member {
	m := &member{Host: lan.Add(t, name), folder: t.TempDir()}
	t.Cleanup(func() {
		if m.command != nil {
			m.end(t, syscall.SIGKILL)
		}
		if t.Failed() {
			t.Logf("output of %s:\n%s", name, m.printed.String())
		}
	})
	return m
}

func newSpeaker(t *testing.T, lan *bgptest.LAN, name string, reflector *member) *member {
	m := newMember(t, lan, name)
	if err := m.Space.AddLocal(offered); err != nil {
		t.Fatal(err)
	}
	m.configure(t, fmt.Sprintf(`{"reportIntervalMs": 1000, "speaker": {"drainMs": 1500,
		"bgp": {"as": 65021, "peers": [{"address": %q, %s}]},
		"services": [{"loadBalancerId": "lb_1", "prefix": %q, "plain": true,
			"probes": [{"address": %q, "port": 80, "protocol": "tcp"}]}]}}`, reflector.IPv4, session, offered, offered.Addr()))
	return m
}

// listen accepts probes.
func (m *member) listen(t *testing.T) net.Listener {
	t.Helper()
	listener, err := m.Space.Listen(t.Context(), "tcp", offered.Addr().String()+":80")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return listener
}

// Three roles as in production: from the probes of two speakers, over a reflector, to the next hops
// in the router's kernel.
func TestSpeakersReachTheRoutersKernelByAReflector(t *testing.T) {
	lan := bgptest.NewLAN(t)
	reflecting, routing := newMember(t, lan, "reflector"), newMember(t, lan, "router")
	one, two := newSpeaker(t, lan, "speaker-1", reflecting), newSpeaker(t, lan, "speaker-2", reflecting)
	reflecting.configure(t, fmt.Sprintf(`{"reportIntervalMs": 1000, "reflector": {"accepts": ["203.0.113.0/24"],
		"bgp": {"as": 65021, "peers": [{"callers": %q, "client": true, %s}, {"address": %q, "waits": true, %s}]}}}`,
		bgptest.Prefix4, session, routing.IPv4, session))
	routing.configure(t, fmt.Sprintf(`{"reportIntervalMs": 1000, "router": {"accepts": ["203.0.113.0/24"], "settleMs": 1000,
		"bgp": {"as": 65021, "peers": [{"address": %q, %s}]}}}`, reflecting.IPv4, session))
	reflecting.start(t, "reflector")
	routing.start(t, "router")
	one.start(t, "speaker", "--balancer=off")
	two.start(t, "speaker", "--balancer=off")

	goesBy := func(step string, want ...netip.Addr) {
		t.Helper()
		waitFor(t, fmt.Sprintf("%s by %v, when %s", offered, want, step), func() bool {
			hops, err := fib.Read(routing.Space.Do, router.Owner)
			if err != nil {
				t.Fatal(err)
			}
			return slices.Equal(hops[offered], want)
		})
	}
	waitFor(t, "session of the router", func() bool {
		return strings.Contains(routing.page("metrics"), `fairlead_bgp_session_up{peer="10.79.0.1"} 1`)
	})
	waitFor(t, "reason not to announce", func() bool {
		return strings.Contains(one.page("status"), "Not announced: the probe has been failing since")
	})
	goesBy("no service answers")
	first := one.listen(t)
	goesBy("one answers", one.IPv4)
	two.listen(t)
	goesBy("both answer", one.IPv4, two.IPv4)
	waitFor(t, "route and its next hops in the router's report", func() bool {
		status := strings.ReplaceAll(routing.page("status"), " ", "")
		return strings.Contains(status, `"prefix":"203.0.113.7/32","nextHops":[{"address":"10.79.0.3","weight":1`) && strings.Contains(status, `"address":"10.79.0.4"`)
	})
	for _, member := range []*member{routing, one} {
		expositiontest.Lint(t, member.page("metrics"))
	}
	_ = first.Close()
	goesBy("one no longer answers", two.IPv4)
	one.listen(t)
	goesBy("it answers again", one.IPv4, two.IPv4)

	began := time.Now()
	one.end(t, syscall.SIGTERM)
	if took := time.Since(began); took < time.Second || took > 10*time.Second {
		t.Errorf("leaving took %s", took)
	}
	for _, event := range []string{"NotAnnounced", "Announced", "AnnouncementDrains"} {
		if !strings.Contains(one.printed.String(), "event="+event) {
			t.Errorf("event %s is missing", event)
		}
	}
	goesBy("one has left", two.IPv4)
	two.end(t, syscall.SIGKILL)
	goesBy("the last one was killed")
}

func TestASpeakerNeedsABalancerAddress(t *testing.T) {
	err := run(t.Context(), []string{"speaker", "--interface=lo", "--config=none", "--state=" + t.TempDir(), "--node-name=test", "--balancer=here"})
	if err == nil || !strings.Contains(err.Error(), `"here" is not the address of a balancer: set --balancer, such as http://127.0.0.1:9100, or off`) {
		t.Errorf("got %v", err)
	}
}
