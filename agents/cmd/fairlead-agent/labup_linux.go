package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"

	"fairlead.dev/agents/internal/lab"
	"fairlead.dev/agents/internal/netspace"
)

// insideVariable means that the lab runs in a user namespace. It contains the socket to the control
// plane.
const insideVariable = "FAIRLEAD_LAB_INSIDE"

func (c *labCommand) up(ctx context.Context) error {
	socket, inside := os.LookupEnv(insideVariable)
	switch {
	case c.detach:
		return c.upDetached(ctx)
	case os.Geteuid() != 0 && !inside:
		return c.upRootless(ctx)
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find our own program: %w", err)
	}
	// Agents run in other folders.
	for _, path := range []*string{&c.tokens, &c.state} {
		if *path == "" {
			continue
		}
		if *path, err = filepath.Abs(*path); err != nil {
			return fmt.Errorf("find %s: %w", *path, err)
		}
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ready := func(notAdaptive string) {
		if notAdaptive != "" {
			fmt.Printf("no agents of the role adaptive: %s\n", notAdaptive)
		}
		if c.verb == "check" {
			stop()
			return
		}
		fmt.Printf("lab %s is up; Ctrl-C takes it down\n", c.topology.Name)
	}
	err = lab.Run(ctx, lab.Options{
		Topology: c.topology, Digest: c.digest(), Root: c.root, Program: program, Rootless: inside,
		Log:          slog.New(slog.NewTextHandler(os.Stderr, nil)).With("lab", c.topology.Name),
		ControlPlane: c.controlPlane, ControlPlaneSocket: socket, Tokens: c.tokens, State: c.state,
	}, ready)
	switch {
	case errors.Is(err, lab.ErrRunning):
		return c.isUpAlready(ctx)
	case lacks(err) && inside:
		return refuse("a lab without root needs user namespaces with rights of their own (%w): allow them, or run as root", err)
	case lacks(err):
		return refuse("this machine can't run a lab (%w): run as root with the capability CAP_SYS_ADMIN, or as an ordinary user", err)
	}
	return labError(err)
}

// lacks reports a missing permission or kernel feature, which a retry won't fix.
func lacks(err error) bool {
	return slices.ContainsFunc([]error{
		syscall.EPERM, syscall.EROFS, syscall.EOPNOTSUPP, syscall.ENOSYS, syscall.EAFNOSUPPORT, syscall.EPROTONOSUPPORT,
	}, func(lack error) bool { return errors.Is(err, lack) })
}

// isUpAlready waits for a concurrent start, and checks that it is the same lab.
func (c *labCommand) isUpAlready(ctx context.Context) error {
	status, err := waitUntilUp(ctx, lab.Find(c.root, c.topology.Name), nil)
	if err != nil {
		return err
	}
	if status.Digest != c.digest() {
		return refuse("lab %s is up with another topology: take it down first, or give this one another name", c.topology.Name)
	}
	fmt.Printf("lab %s is up already, process %d\n", status.Lab, status.Pid)
	return nil
}

// waitUntilUp returns when the lab answers, or its process ended.
func waitUntilUp(ctx context.Context, remote lab.Remote, ended <-chan error) (lab.Status, error) {
	ctx, stop := context.WithTimeout(ctx, 2*time.Minute)
	defer stop()
	for {
		status, err := remote.Status(ctx)
		if err == nil {
			return status, nil
		}
		select {
		case <-ctx.Done():
			return status, fmt.Errorf("wait until the lab is up: %w", errors.Join(err, ctx.Err()))
		case err := <-ended:
			return status, err
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// again is the same command as a new process.
func (c *labCommand) again() *exec.Cmd {
	command := exec.Command("/proc/self/exe")
	command.Args = []string{os.Args[0], "lab", c.verb, c.file, "--run", c.root}
	for name, value := range map[string]string{"--control-plane": c.controlPlane, "--tokens": c.tokens, "--state": c.state} {
		if value != "" {
			command.Args = append(command.Args, name, value)
		}
	}
	return command
}

// upDetached starts a new process in the background and returns when the lab is up.
func (c *labCommand) upDetached(ctx context.Context) error {
	remote := lab.Find(c.root, c.topology.Name)
	if _, err := remote.Status(ctx); err == nil {
		return c.isUpAlready(ctx)
	}
	// Without a name from the start: it is for what goes wrong now.
	output, err := os.CreateTemp("", "fairlead-lab")
	if err != nil {
		return fmt.Errorf("create a log: %w", err)
	}
	defer output.Close()
	if err := os.Remove(output.Name()); err != nil {
		return fmt.Errorf("create a log: %w", err)
	}
	command := c.again()
	command.Stderr = output
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := command.Start(); err != nil {
		return fmt.Errorf("start in the background: %w", err)
	}
	ended := make(chan error, 1)
	go func() {
		err := command.Wait()
		if err == nil {
			return // it found another that is up, or went down again
		}
		_, _ = output.Seek(0, io.SeekStart)
		text, _ := io.ReadAll(io.LimitReader(output, 1<<16))
		ended <- fmt.Errorf("it did not come up (%w): %s", err, text)
	}()
	status, err := waitUntilUp(ctx, remote, ended)
	if err != nil {
		return err
	}
	fmt.Printf("lab %s is up, process %d\n", status.Lab, status.Pid)
	return nil
}

// upRootless starts a new process in namespaces where an ordinary user is root.
func (c *labCommand) upRootless(ctx context.Context) error {
	runtime.LockOSThread() // its parent-death signal comes when this thread ends
	defer runtime.UnlockOSThread()
	socket, stop, err := c.leadOutside()
	if err != nil {
		return err
	}
	defer stop()
	fmt.Fprintln(os.Stderr, lab.EnginesRootless)
	command := c.again()
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	command.Env = append(os.Environ(), insideVariable+"="+socket)
	command.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}},
		Pdeathsig:   syscall.SIGKILL,
	}
	if err := command.Start(); err != nil {
		return refuse("a lab without root needs user namespaces (%w): allow them, or run as root", err)
	}
	stopped := context.AfterFunc(ctx, func() { _ = command.Process.Signal(syscall.SIGTERM) })
	defer stopped()
	err = command.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() > 0 {
		return childExit(exit.ExitCode()) // it has the same terminal
	}
	if err != nil {
		return fmt.Errorf("the lab: %w", err)
	}
	return nil
}

// leadOutside creates a socket to the control plane, which can't be reached from other network
// namespaces.
func (c *labCommand) leadOutside() (socket string, stop func(), err error) {
	if c.controlPlane == "" {
		return "", func() {}, nil
	}
	// A killed process left its socket behind.
	socket = lab.OutsideSocket(c.root, c.topology.Name)
	if err := errors.Join(os.MkdirAll(c.root, 0o700), os.RemoveAll(socket)); err != nil {
		return "", nil, fmt.Errorf("remove an old socket: %w", err)
	}
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return "", nil, fmt.Errorf("create a socket to the control plane: %w", err)
	}
	go lab.Forward(listener, func() (net.Conn, error) { return lab.DialControlPlane(c.controlPlane) })
	return socket, func() { _ = listener.Close() }, nil // which removes it
}

// exec becomes the command, inside a member.
func (c *labCommand) exec(remote lab.Remote) error {
	if len(c.arguments) < 2 {
		return refuse("set the member and the command: fairlead-agent lab exec FILE MEMBER COMMAND…")
	}
	record, err := remote.Record()
	if err != nil {
		return labError(err)
	}
	name := lab.SpaceName(c.topology.Name, c.arguments[0])
	command := c.arguments[1:]
	if record.Rootless {
		// A process of many threads can't enter a user namespace itself.
		netns := fmt.Sprintf("/proc/%d/root%s", record.Pid, filepath.Join(c.root, c.topology.Name, "netns", name))
		command = append([]string{"nsenter", "--preserve-credentials", "--user", "--target", fmt.Sprint(record.Pid), "--net=" + netns, "--"}, command...)
	}
	program, err := exec.LookPath(command[0])
	if err != nil {
		return refuse("%s can't be run: %w", command[0], err)
	}
	if record.Rootless {
		return fmt.Errorf("run %s: %w", program, syscall.Exec(program, command, os.Environ()))
	}
	space, err := netspace.Open(name)
	if err != nil {
		return refuse("there is no member %q in lab %s: \"lab status\" shows them", c.arguments[0], c.topology.Name)
	}
	if err := remote.JoinCgroup(c.arguments[0]); err != nil {
		return err
	}
	// The thread that execs is the one that is left, so the program is inside.
	return space.Do(func() error { return fmt.Errorf("run %s: %w", program, syscall.Exec(program, command, os.Environ())) })
}
