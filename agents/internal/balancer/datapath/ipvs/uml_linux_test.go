package ipvs_test

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/racing"
)

// Few kernels that tests run on have IP_VS, so the tests run in one that has: Debian's
// user-mode Linux, an ordinary process, with this package's test binary as init.

// insideVariable is set inside user-mode Linux.
const insideVariable = "FAIRLEAD_TEST_USER_MODE_LINUX"

const (
	preparedVariable = "FAIRLEAD_TEST_PREPARED"

	exitLine   = "the tests ended with status " // followed by the status, because the kernel's own exit status is meaningless
	modulesDir = "/usr/lib/uml/modules"
)

var modules = []string{
	"nfnetlink", "xfrm_user", // every netlink handle opens sockets of these
	"veth", "bridge", "ipip", "ip6_tunnel",
	"ip_vs_rr", "ip_vs_wrr", "ip_vs_lc", "ip_vs_wlc", "ip_vs_sh", "ip_vs_dh", "ip_vs_sed", "ip_vs_nq", "ip_vs_mh",
}

func TestMain(m *testing.M) {
	if os.Getpid() != 1 {
		status := m.Run()
		_ = os.RemoveAll(builtIn)
		os.Exit(status)
	}
	status := 1
	if os.Getenv(preparedVariable) != "" {
		status = m.Run()
	} else if err := startAgain(); err != nil {
		fmt.Println("prepare user-mode Linux:", err)
	}
	fmt.Printf("%s%d\n", exitLine, status)
	_ = unix.Reboot(unix.LINUX_REBOOT_CMD_POWER_OFF)
}

// startAgain prepares the system and runs this binary again, because some packages read /proc when they are initialized.
func startAgain() error {
	if err := prepare(); err != nil {
		return err
	}
	return unix.Exec("/init", os.Args, append(os.Environ(), preparedVariable+"=1"))
}

func inside() bool { return os.Getenv(insideVariable) != "" }

// bootForTest runs one test of this package in user-mode Linux.
func bootForTest(t *testing.T) {
	t.Helper()
	kernel, err := exec.LookPath("linux.uml")
	if err != nil {
		t.Fatalf("the tests of IP_VS run in user-mode Linux, which isn't here: install the Debian package user-mode-linux (%v)", err)
	}
	root := t.TempDir()
	for _, folder := range []string{"proc", "sys", "dev", "run", "tmp", "modules"} {
		if err := os.Mkdir(filepath.Join(root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	init, err := buildInit()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Link(init, filepath.Join(root, "init")); err != nil {
		t.Fatal(err)
	}
	boot := exec.CommandContext(t.Context(), kernel, "mem=768M", "root=/dev/root", "rootfstype=hostfs", "rootflags="+root, "ro", "init=/init",
		"con=null", "con0=null,fd:1", "quiet", "uml_dir="+t.TempDir(), insideVariable+"=1", racing.Environment(), "--", "-test.run="+only(t), "-test.v")
	output, err := outputOnOneCPU(boot)
	// That kernel sometimes aborts after it has halted, so only the line counts.
	if !bytes.Contains(output, []byte(exitLine+"0")) {
		t.Fatalf("in user-mode Linux: %v\n%s", err, output)
	}
	t.Logf("%s", output)
}

// outputOnOneCPU runs user-mode Linux. Its kernel and its processes take turns: where each turn woke another CPU of an idle
// machine, the tests took five times as long.
func outputOnOneCPU(boot *exec.Cmd) (output []byte, err error) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		runtime.LockOSThread() // never unlocked, so the thread ends with this goroutine
		var allowed, one unix.CPUSet
		if err = unix.SchedGetaffinity(0, &allowed); err != nil {
			return
		}
		for cpu := 0; one.Count() == 0; cpu++ {
			if allowed.IsSet(cpu) {
				one.Set(cpu)
			}
		}
		if err = unix.SchedSetaffinity(0, &one); err != nil {
			return
		}
		output, err = boot.CombinedOutput()
	}()
	<-ended
	return output, err
}

// builtIn is the folder of buildInit's output.
var builtIn string

// buildInit builds this package's tests for user-mode Linux, once for all tests that run
// there.
var buildInit = sync.OnceValues(func() (init string, err error) {
	if builtIn, err = os.MkdirTemp("", "fltest"); err != nil {
		return "", err
	}
	init = filepath.Join(builtIn, "init")
	build := exec.Command("go", "test", "-c", "-o", init, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // user-mode Linux has no shared libraries
	if output, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build what runs in user-mode Linux: %w\n%s", err, output)
	}
	return init, nil
})

// only returns a pattern for this test, or for the requested part of it.
func only(t *testing.T) string {
	if requested := flag.Lookup("test.run").Value.String(); strings.HasPrefix(requested, t.Name()+"/") {
		return requested
	}
	return "^" + t.Name() + "$"
}

// prepare sets up the system as an init does.
func prepare() error {
	for _, mount := range []struct{ kind, at, data string }{
		{"proc", "/proc", ""}, {"sysfs", "/sys", ""}, {"devtmpfs", "/dev", ""}, {"tmpfs", "/run", ""}, {"tmpfs", "/tmp", ""},
		{"hostfs", "/modules", modulesDir},
	} {
		if err := unix.Mount(mount.kind, mount.at, mount.kind, 0, mount.data); err != nil && !(mount.kind == "devtmpfs" && errors.Is(err, unix.EBUSY)) {
			return fmt.Errorf("mount %s: %w", mount.at, err)
		}
	}
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		return err
	}
	folder := filepath.Join("/modules", unix.ByteSliceToString(name.Release[:]))
	needs, err := dependencies(folder)
	if err != nil {
		return err
	}
	for _, module := range modules {
		if needs[module] == nil {
			return fmt.Errorf("module %s isn't in %s", module, folder)
		}
		for _, path := range needs[module] {
			if err := load(filepath.Join(folder, path)); err != nil {
				return err
			}
		}
	}
	return nil
}

// dependencies returns the files to load for each module, in order.
func dependencies(folder string) (map[string][]string, error) {
	file, err := os.Open(filepath.Join(folder, "modules.dep"))
	if err != nil {
		return nil, fmt.Errorf("read which modules need which: %w", err)
	}
	defer file.Close()
	needs := map[string][]string{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		path, rest, _ := strings.Cut(lines.Text(), ":")
		order := []string{path}
		for _, need := range strings.Fields(rest) {
			order = append([]string{need}, order...)
		}
		needs[strings.TrimSuffix(filepath.Base(path), ".ko")] = order
	}
	return needs, lines.Err()
}

func load(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("load module: %w", err)
	}
	defer file.Close()
	if err := unix.FinitModule(int(file.Fd()), "", 0); err != nil && !errors.Is(err, unix.EEXIST) {
		return fmt.Errorf("load module %s: %w", path, err)
	}
	return nil
}
