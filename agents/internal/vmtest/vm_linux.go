package vmtest

import (
	"bytes"
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

// insideVariable is set inside the VM.
const insideVariable = "FAIRLEAD_TEST_VM"

const exitLine = "the tests ended with status " // followed by the status, because the kernel's own exit status is meaningless

// Inside reports whether this is the VM.
func Inside() bool { return os.Getenv(insideVariable) != "" }

// Network are the modules that every test of a data path needs. Every netlink handle opens
// sockets of the first two.
var Network = []string{"nfnetlink", "xfrm_user", "veth", "bridge"}

// wanted are the modules to load in the VM.
var wanted []string

// Main is the TestMain of a package whose tests call Boot. In the VM it loads modules first.
func Main(m *testing.M, modules ...string) {
	wanted = modules
	if os.Getpid() != 1 {
		status := m.Run()
		_ = os.RemoveAll(builtIn)
		os.Exit(status)
	}
	err := prepare(modules)
	if err == nil {
		err = runAgain()
	}
	status := 0
	if err != nil {
		fmt.Println("in the VM:", err)
		status = 1
	}
	fmt.Printf("%s%d\n", exitLine, status)
	_ = unix.Reboot(unix.LINUX_REBOOT_CMD_POWER_OFF)
}

// runAgain runs the tests in a process of their own: packages read /proc as they are
// initialised, which was before it was mounted.
func runAgain() error {
	tests := exec.Command("/proc/self/exe", os.Args[1:]...)
	tests.Stdout, tests.Stderr = os.Stdout, os.Stderr
	return tests.Run()
}

// Boot runs the calling test in user-mode Linux, or on the kernel of kernelVariable.
func Boot(t *testing.T) {
	t.Helper()
	init, err := buildInit()
	if err != nil {
		t.Fatal(err)
	}
	where, boot := "user-mode Linux", bootUserMode
	if folder := os.Getenv(kernelVariable); folder != "" {
		where = "QEMU with " + filepath.Base(folder)
		boot = func(t *testing.T, init string) ([]byte, error) { return bootMachine(t, folder, init) }
	}
	output, err := boot(t, init)
	// User-mode Linux sometimes aborts after it has halted, so only the line counts.
	if !bytes.Contains(output, []byte(exitLine+"0")) {
		t.Fatalf("in %s: %v\n%s", where, err, output)
	}
	t.Logf("%s", output)
}

func bootUserMode(t *testing.T, init string) ([]byte, error) {
	kernel, err := exec.LookPath("linux.uml")
	if err != nil {
		return nil, fmt.Errorf("user-mode Linux isn't here: install the Debian package user-mode-linux (%w)", err)
	}
	root := t.TempDir()
	for _, folder := range folders {
		if err := os.Mkdir(filepath.Join(root, folder), 0o755); err != nil {
			return nil, err
		}
	}
	if err := os.Link(init, filepath.Join(root, "init")); err != nil {
		return nil, err
	}
	return outputOnOneCPU(exec.CommandContext(t.Context(), kernel, append([]string{"mem=768M", "root=/dev/root", "rootfstype=hostfs", "rootflags=" + root, "ro", "init=/init",
		"con=null", "con0=null,fd:1", "quiet", "uml_dir=" + t.TempDir()}, arguments(t)...)...))
}

// folders are those of the VM's root.
var folders = []string{"proc", "sys", "dev", "run", "tmp", "modules"}

// arguments are the kernel's that are meant for init.
func arguments(t *testing.T) []string {
	return []string{insideVariable + "=1", withoutVectors, racing.Environment(), "--", "-test.run=" + only(t), "-test.v"}
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
		if err = simpleRegisters(); err != nil {
			return
		}
		output, err = boot.CombinedOutput()
	}()
	<-ended
	return output, err
}

// builtIn is the folder of buildInit's output.
var builtIn string

// buildInit builds this package's tests for the VM, once for all tests that run there.
var buildInit = sync.OnceValues(func() (init string, err error) {
	if builtIn, err = os.MkdirTemp("", "fltest"); err != nil {
		return "", err
	}
	init = filepath.Join(builtIn, "init")
	build := exec.Command("go", "test", "-c", "-tags", buildTags, "-o", init, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // the VM has no shared libraries
	if output, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build what runs in the VM: %w\n%s", err, output)
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
