package interop_test

import (
	"bytes"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp/bgptest"
)

// configs is the folder of the control plane's router configurations.
const configs = "../../../../packages/domain/src/routing/router-config/testdata"

// folder creates a folder for a daemon, which may run as another user.
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

// password replaces the placeholder in the configurations.
const password = "known-to-both-ends"

// text copies a configuration of the control plane to where a daemon reads it, and fills in the
// password as the page instructs.
func text(t *testing.T, name, folder, password string) string {
	t.Helper()
	return file(t, folder, name, content(t, name, password))
}

func content(t *testing.T, name, password string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(configs, name))
	must(t, err)
	return strings.ReplaceAll(string(content), "REPLACE-WITH-THE-PASSWORD", password)
}

func file(t *testing.T, folder, name, content string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	must(t, os.WriteFile(path, []byte(content), 0o644))
	return path
}

// program is a third-party daemon on a host.
type program struct {
	name  string
	start func(t *testing.T, host *bgptest.Host, text, password string) *daemon
}

var (
	frr    = program{"FRR", startFRR}
	bird   = program{"BIRD", startBIRD}
	exabgp = program{"exabgp", startExaBGP}
	gobgpd = program{"gobgpd", startGoBGP}
)

// daemon is a running program.
type daemon struct {
	command *exec.Cmd
	end     sync.Once
	// its helper processes are stopped with it
	with []*daemon
	// withdraw withdraws a speaker's routes and keeps it running. It is idempotent.
	withdraw func(t *testing.T)
	// show returns the output of a show command, in FRR's format.
	show func(t *testing.T, command string) string
}

// start runs a daemon until the test ends. Its output is logged when the test fails.
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

// kill stops it as kill -9 does.
func (d *daemon) kill() {
	d.end.Do(func() {
		_ = d.command.Process.Kill()
		_ = d.command.Wait()
	})
	for _, other := range d.with {
		other.kill()
	}
}

// startFRR starts zebra, bfdd and bgpd, and loads the configuration with vtysh, as FRR's service
// does with frr.conf. A rejected line fails the test.
func startFRR(t *testing.T, host *bgptest.Host, name, password string) *daemon {
	t.Helper()
	folder := folder(t, "frr")
	common := []string{"-u", "frr", "-g", "frr", "-z", filepath.Join(folder, "zserv"), "--vty_socket", folder, "-P", "0", "-f", file(t, folder, "empty.conf", "")}
	run := func(program string, arguments ...string) *daemon {
		d := start(t, host, nil, "/usr/lib/frr/"+program, slices.Concat(common, []string{"-i", filepath.Join(folder, program+".pid")}, arguments)...)
		waitFor(t, func() bool { return exists(filepath.Join(folder, program+".vty")) }, func() string { return program + " doesn't listen" })
		return d
	}
	zebra := run("zebra")
	bfdd := run("bfdd", "--bfdctl", filepath.Join(folder, "bfdd.sock"))
	bgpd := run("bgpd", "-p", "179")
	bgpd.with = []*daemon{bfdd, zebra}
	output, err := host.Space.Run(t.Context(), "/usr/bin/vtysh", "--vty_socket", folder, "-f", text(t, name, folder, password))
	if err != nil || strings.Contains(output, "%") || strings.Contains(output, "line ") {
		t.Fatalf("load %s into FRR: %v\n%s", name, err, output)
	}
	bgpd.show = func(t *testing.T, command string) string {
		t.Helper()
		output, err := host.Space.Run(t.Context(), "/usr/bin/vtysh", "--vty_socket", folder, "-c", command)
		must(t, err)
		return output
	}
	return bgpd
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func startBIRD(t *testing.T, host *bgptest.Host, name, password string) *daemon {
	t.Helper()
	folder := folder(t, "")
	return start(t, host, nil, "/usr/sbin/bird", "-f", "-c", text(t, name, folder, password), "-s", filepath.Join(folder, "bird.ctl"))
}

func startExaBGP(t *testing.T, host *bgptest.Host, name, password string) *daemon {
	t.Helper()
	return runExaBGP(t, host, text(t, name, folder(t, ""), password))
}

// runExaBGP reloads a configuration without routes, to withdraw them.
func runExaBGP(t *testing.T, host *bgptest.Host, path string) *daemon {
	t.Helper()
	d := start(t, host, []string{
		"exabgp.daemon.user=root", "exabgp.daemon.drop=false", "exabgp.api.cli=false", "exabgp.log.destination=stderr",
	}, "/usr/sbin/exabgp", path)
	d.withdraw = func(t *testing.T) {
		t.Helper()
		content, err := os.ReadFile(path)
		must(t, err)
		must(t, os.WriteFile(path, regexp.MustCompile(`(?m)^ *route .*\n`).ReplaceAll(content, nil), 0o644))
		must(t, d.command.Process.Signal(syscall.SIGUSR1))
	}
	return d
}

// startGoBGP also runs the commands at the end of the configuration.
func startGoBGP(t *testing.T, host *bgptest.Host, name, password string) *daemon {
	t.Helper()
	path := text(t, name, folder(t, ""), password)
	d := start(t, host, nil, "/usr/bin/gobgpd", "-f", path, "--api-hosts", "127.0.0.1:50051")
	content, err := os.ReadFile(path)
	must(t, err)
	var offers [][]string
	for line := range strings.Lines(string(content)) {
		if strings.HasPrefix(line, "# gobgp ") {
			offers = append(offers, strings.Fields(strings.TrimPrefix(line, "# ")))
		}
	}
	run := func(t *testing.T, words []string) {
		t.Helper()
		var out string
		var err error
		waitFor(t, func() bool {
			out, err = host.Space.Run(t.Context(), words[0], words[1:]...)
			return err == nil
		}, func() string { return strings.Join(words, " ") + ": " + out })
	}
	for _, words := range offers {
		run(t, words)
	}
	d.withdraw = func(t *testing.T) {
		t.Helper()
		for _, words := range offers {
			run(t, []string{"gobgp", "global", "rib", "del", words[4], "-a", words[len(words)-1]})
		}
		offers = nil
	}
	return d
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// waitFor fails after half a minute: third-party routers start slowly.
func waitFor(t *testing.T, holds func() bool, otherwise func() string) {
	t.Helper()
	for began := time.Now(); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatal(otherwise())
		}
	}
}
