package interop_test

import (
	"bytes"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp/bgptest"
)

// written is where the control plane's texts are.
const written = "../../../../packages/domain/src/router-config/testdata"

// folder is one for a daemon, which may be another user's.
func folder(t *testing.T, owner string) string {
	t.Helper()
	path, err := os.MkdirTemp("", "flbgp")
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(path)) })
	must(t, os.Chmod(path, 0o755))
	if owner != "" {
		account, err := user.Lookup(owner)
		must(t, err)
		uid, err := strconv.Atoi(account.Uid)
		must(t, err)
		gid, err := strconv.Atoi(account.Gid)
		must(t, err)
		must(t, os.Chown(path, uid, gid))
	}
	return path
}

// text copies one of the control plane's to where a daemon reads it.
func text(t *testing.T, name, folder string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(written, name))
	must(t, err)
	return file(t, folder, name, string(content))
}

func file(t *testing.T, folder, name, content string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	must(t, os.WriteFile(path, []byte(content), 0o644))
	return path
}

// daemon is a program on a host.
type daemon struct {
	command *exec.Cmd
	end     sync.Once
}

// start leaves a daemon running until the test ends. What it printed is shown when the test failed.
func start(t *testing.T, host *bgptest.Host, environment []string, name string, arguments ...string) *daemon {
	t.Helper()
	var printed bytes.Buffer
	d := &daemon{command: exec.Command(name, arguments...)}
	d.command.Env = append(os.Environ(), environment...)
	d.command.Stdout, d.command.Stderr = &printed, &printed
	must(t, host.Space.Start(d.command))
	t.Cleanup(func() {
		d.kill()
		if t.Failed() {
			t.Logf("%s printed:\n%s", name, printed.String())
		}
	})
	return d
}

func (d *daemon) kill() {
	d.end.Do(func() {
		_ = d.command.Process.Kill()
		_ = d.command.Wait()
	})
}

// frr starts zebra and bgpd.
func frr(t *testing.T, host *bgptest.Host, config string) {
	t.Helper()
	folder := folder(t, "frr")
	common := []string{"-u", "frr", "-g", "frr", "-z", filepath.Join(folder, "zserv"), "--vty_socket", folder, "-P", "0"}
	start(t, host, nil, "/usr/lib/frr/zebra", append(common, "-f", file(t, folder, "zebra.conf", ""), "-i", filepath.Join(folder, "zebra.pid"))...)
	waitFor(t, func() bool { _, err := os.Stat(filepath.Join(folder, "zserv")); return err == nil }, func() string { return "zebra doesn't listen" })
	start(t, host, nil, "/usr/lib/frr/bgpd", append(common, "-p", "179", "-f", text(t, config, folder), "-i", filepath.Join(folder, "bgpd.pid"))...)
}

func bird(t *testing.T, host *bgptest.Host, config string) {
	t.Helper()
	folder := folder(t, "")
	start(t, host, nil, "/usr/sbin/bird", "-f", "-c", text(t, config, folder), "-s", filepath.Join(folder, "bird.ctl"))
}

func exabgp(t *testing.T, host *bgptest.Host, config string) *daemon {
	t.Helper()
	folder := folder(t, "")
	settings := []string{
		"exabgp.daemon.user=root", "exabgp.daemon.drop=false", "exabgp.api.cli=false", "exabgp.log.destination=stderr",
	}
	return start(t, host, settings, "/usr/sbin/exabgp", text(t, config, folder))
}

// gobgpd runs the commands too that its text ends with.
func gobgpd(t *testing.T, host *bgptest.Host, config string) *daemon {
	t.Helper()
	path := text(t, config, folder(t, ""))
	d := start(t, host, nil, "/usr/bin/gobgpd", "-f", path, "--api-hosts", "127.0.0.1:50051")
	content, err := os.ReadFile(path)
	must(t, err)
	for line := range strings.Lines(string(content)) {
		words := strings.Fields(strings.TrimPrefix(line, "# "))
		if !strings.HasPrefix(line, "# gobgp ") {
			continue
		}
		var out string
		waitFor(t, func() bool {
			out, err = host.Space.Run(t.Context(), words[0], words[1:]...)
			return err == nil
		}, func() string { return line + ": " + out })
	}
	return d
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// waitFor fails after half a minute: other people's routers take their time to come up.
func waitFor(t *testing.T, holds func() bool, otherwise func() string) {
	t.Helper()
	for began := time.Now(); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > 30*time.Second {
			t.Fatal(otherwise())
		}
	}
}
