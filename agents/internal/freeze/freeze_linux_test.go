package freeze_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/freeze"
)

// variable makes this test binary a process that counts in all its threads: parent also starts a child.
const variable, parent, child = "FAIRLEAD_TEST_COUNTS", "parent", "child"

const threads = 3 // of each of the two processes

// counters has one per thread.
type counters [2 * threads]atomic.Uint64

func TestMain(m *testing.M) {
	if which := os.Getenv(variable); which != "" {
		fmt.Fprintln(os.Stderr, count(which))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// count counts until it is killed. It returns only errors.
func count(which string) error {
	file := os.NewFile(3, "counters")
	all, err := share(file)
	if err != nil {
		return err
	}
	mine := all[:threads]
	if which == parent {
		mine = all[threads:]
		if err := startCounting(file, child, &unix.SysProcAttr{Pdeathsig: unix.SIGKILL}).Start(); err != nil {
			return err
		}
	}
	for at := range mine {
		go func() {
			runtime.LockOSThread()
			for {
				mine[at].Add(1)
			}
		}()
	}
	select {}
}

func startCounting(file *os.File, which string, how *unix.SysProcAttr) *exec.Cmd {
	command := exec.Command("/proc/self/exe")
	command.Env = append(os.Environ(), variable+"="+which, fmt.Sprintf("GOMAXPROCS=%d", threads+1))
	command.ExtraFiles, command.Stderr, command.SysProcAttr = []*os.File{file}, os.Stderr, how
	return command
}

// share maps the counters, which the processes share.
func share(file *os.File) (*counters, error) {
	size := int(unsafe.Sizeof(counters{}))
	memory, err := unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map the counters: %w", err)
	}
	return (*counters)(unsafe.Pointer(&memory[0])), nil
}

// group is a process and its child, which count in all their threads.
type group struct {
	t        *testing.T
	command  *exec.Cmd
	counters *counters
}

func startGroup(t *testing.T) *group {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "counters"))
	must(t, err)
	defer file.Close()
	must(t, file.Truncate(int64(unsafe.Sizeof(counters{}))))
	g := &group{t: t}
	g.counters, err = share(file)
	must(t, err)
	g.command = startCounting(file, parent, &unix.SysProcAttr{Setpgid: true, Pdeathsig: unix.SIGKILL})
	// The signal is sent when the thread that started the process ends.
	runtime.LockOSThread()
	must(t, g.command.Start())
	t.Cleanup(g.end)
	g.waitUntilAllRun()
	return g
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (g *group) id() int { return g.command.Process.Pid }

func (g *group) end() {
	_ = unix.Kill(-g.id(), unix.SIGKILL)
	_ = g.command.Wait()
}

func (g *group) read() (counts [2 * threads]uint64) {
	for at := range g.counters {
		counts[at] = g.counters[at].Load()
	}
	return counts
}

// waitUntilAllRun waits until each thread counts.
func (g *group) waitUntilAllRun() {
	g.t.Helper()
	before := g.read()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		after, running := g.read(), 0
		for at := range after {
			if after[at] > before[at] {
				running++
			}
		}
		if running == len(after) {
			return
		}
		if time.Now().After(deadline) {
			g.t.Fatalf("%d of %d threads run", running, len(after))
		}
	}
}

// mustBeStopped compares counters over a time in which threads that run count.
func (g *group) mustBeStopped() {
	g.t.Helper()
	before := g.read()
	time.Sleep(5 * time.Millisecond)
	if after := g.read(); after != before {
		g.t.Fatalf("the counters were %d, and are %d", before, after)
	}
}

func TestNothingOfAFrozenGroupRuns(t *testing.T) {
	g := startGroup(t)
	for range 20 {
		must(t, freeze.Group(t.Context(), g.id()))
		g.mustBeStopped()
		must(t, freeze.Group(t.Context(), g.id())) // it is frozen already
		g.mustBeStopped()
		must(t, freeze.Thaw(g.id()))
		g.waitUntilAllRun()
	}
}

func TestAGroupContinuesWhenItsFreezeIsCanceled(t *testing.T) {
	g := startGroup(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 10 {
		if err := freeze.Group(ctx, g.id()); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		g.waitUntilAllRun()
	}
}

func TestAnEndedGroupIsReported(t *testing.T) {
	g := startGroup(t)
	g.end()
	if err := freeze.Group(t.Context(), g.id()); !errors.Is(err, os.ErrProcessDone) {
		t.Errorf("freeze: %v", err)
	}
}
