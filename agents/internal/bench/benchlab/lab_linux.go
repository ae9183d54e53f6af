package benchlab

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/lab"
)

// Lab is a lab run by the real program for a benchmark.
type Lab struct {
	lab.Remote
	Name    string
	Root    string // the parent of its folder
	command *exec.Cmd
	ended   chan error
	printed *outputBuffer
}

var nameLine = regexp.MustCompile(`(?m)^name: .*$`)

// Up starts a lab from a topology's text under the given name. Extra lines replace those of the same
// field.
func Up(ctx context.Context, agent, folder, name, text string, extra ...string) (*Lab, error) {
	text = nameLine.ReplaceAllString(text, "name: "+name)
	for _, line := range extra {
		field, _, _ := strings.Cut(line, ":")
		text = regexp.MustCompile(`(?m)^`+field+`: .*\n`).ReplaceAllString(text, "") + line + "\n"
	}
	file := filepath.Join(folder, name+".yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return nil, fmt.Errorf("write a topology: %w", err)
	}
	l := &Lab{Remote: lab.Find(folder, name), Name: name, Root: folder, printed: &outputBuffer{}}
	l.command = exec.Command(agent, "lab", "up", file, "--run", folder)
	l.command.Stderr = l.printed
	l.command.SysProcAttr = &unix.SysProcAttr{Setpgid: true, Pdeathsig: unix.SIGTERM} // Ctrl-C goes only to us; we take the lab down
	output, err := l.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := l.start(); err != nil {
		return nil, fmt.Errorf("start the lab: %w", err)
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("the lab did not come up: %w", errors.Join(<-l.ended, errors.New(l.printed.String())))
	}
	if !strings.Contains(line, "is up") {
		return nil, errors.Join(fmt.Errorf("the lab printed %q", line), l.Down())
	}
	go func() { _, _ = io.Copy(io.Discard, output) }() // ends with the lab
	return l, nil
}

// start keeps its thread while the lab runs: the parent-death signal is sent when the thread that
// started the process ends.
func (l *Lab) start() error {
	started := make(chan error)
	l.ended = make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := l.command.Start()
		started <- err
		if err == nil {
			l.ended <- l.command.Wait()
		}
	}()
	return <-started
}

// Pid is the PID of the lab's own process.
func (l *Lab) Pid() int { return l.command.Process.Pid }

// Do requests a change.
func (l *Lab) Do(ctx context.Context, verb ...string) error {
	if _, err := l.Change(ctx, lab.Change{Verb: verb[0], Arguments: verb[1:]}); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(verb, " "), err)
	}
	return nil
}

// Await polls the status until it matches.
func (l *Lab) Await(ctx context.Context, what string, most time.Duration, is func(lab.Status) bool) (lab.Status, error) {
	ctx, stop := context.WithTimeout(ctx, most)
	defer stop()
	for {
		status, err := l.Status(ctx)
		if err == nil && is(status) {
			return status, nil
		}
		if Pause(ctx, 100*time.Millisecond) != nil {
			var table bytes.Buffer
			_ = status.Print(&table)
			return status, fmt.Errorf("wait for %s: %w\n%s", what, errors.Join(err, ctx.Err()), table.String())
		}
	}
}

// Down takes it down, and returns an error if it doesn't end in order.
func (l *Lab) Down() error {
	_ = l.command.Process.Signal(unix.SIGTERM) // it may have ended
	killed := time.AfterFunc(30*time.Second, func() { _ = l.command.Process.Kill() })
	defer killed.Stop()
	if err := <-l.ended; err != nil {
		return fmt.Errorf("the lab ended badly: %w: %s", err, l.printed)
	}
	return nil
}

// KeepLogs copies the logs of the lab and its balancers.
func (l *Lab) KeepLogs(to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return fmt.Errorf("keep the logs: %w", err)
	}
	errs := []error{os.WriteFile(filepath.Join(to, "lab.log"), l.printed.bytes(), 0o644)}
	logs, err := filepath.Glob(filepath.Join(l.Root, l.Name, "lb-*", "log"))
	errs = append(errs, err)
	for _, log := range logs {
		text, err := os.ReadFile(log)
		errs = append(errs, err, os.WriteFile(filepath.Join(to, filepath.Base(filepath.Dir(log))+".log"), text, 0o644))
	}
	return errors.Join(errs...)
}

// outputBuffer is the output of a process, readable while it runs.
type outputBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *outputBuffer) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(text)
}

func (s *outputBuffer) bytes() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Clone(s.text.Bytes())
}

func (s *outputBuffer) String() string { return string(s.bytes()) }

// Pause waits unless the context ends before.
func Pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
