package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"fairlead.dev/agents/internal/lab"
	"fairlead.dev/agents/internal/lab/topologies"
	"fairlead.dev/agents/internal/lab/topology"
)

const labUsage = `usage: fairlead-agent lab up FILE [--detach] [--control-plane URL --tokens FOLDER --state FOLDER]
       fairlead-agent lab check FILE
       fairlead-agent lab status FILE [--json]
       fairlead-agent lab fault FILE CHANGE…
       fairlead-agent lab exec FILE MEMBER COMMAND…
       fairlead-agent lab down FILE

FILE is a topology, or the name of a built-in one: %s.

up        create it and keep it until Ctrl-C; with --detach, in the background
check     create it and remove it at once, to check this machine
status    members, processes, the router's next hops, and the clients' traffic
exec      run a command inside a member
down      remove it, also after it was killed

flags:
  --run FOLDER         folder for running labs
  --control-plane URL  agents connect to it; without it the lab configures its balancers itself
  --tokens FOLDER      an enrolment token per agent, in files named like the members
  --state FOLDER       folder for the agents' identities

changes:
%s`

// labCommand is the command line after "lab".
type labCommand struct {
	verb      string
	file      string
	arguments []string // after the file
	text      []byte   // of the topology
	topology  *topology.Topology

	detach, json                            bool
	root, controlPlane, tokens, state, sock string
}

func labHelp() string {
	return fmt.Sprintf(labUsage, topologies.Names(), "  "+strings.ReplaceAll(lab.Changes, "\n", "\n  "))
}

// runLab runs the command if it is a lab command.
func runLab(ctx context.Context, arguments []string) (mine bool, err error) {
	if len(arguments) == 0 {
		return false, nil
	}
	switch arguments[0] {
	case "lab-app":
		return true, runLabApp(ctx, arguments[1:])
	case "lab":
	default:
		return false, nil
	}
	if slices.Contains([]string{"help", "--help", "-h"}, arguments[len(arguments)-1]) {
		fmt.Println(labHelp())
		return true, nil
	}
	c, err := parseLab(arguments[1:])
	if err != nil {
		return true, err
	}
	remote := lab.Find(c.root, c.topology.Name)
	switch c.verb {
	case "up", "check":
		return true, c.up(ctx)
	case "down":
		return true, labError(remote.Down(ctx))
	case "status":
		return true, c.printStatus(ctx, remote)
	case "exec":
		return true, c.exec(remote)
	}
	if len(c.arguments) == 0 {
		return true, refuse("set the change:\n%s", lab.Changes)
	}
	result, err := remote.Change(ctx, lab.Change{Verb: c.arguments[0], Arguments: c.arguments[1:]})
	if err == nil {
		fmt.Println(result)
	}
	return true, labError(err)
}

func parseLab(arguments []string) (*labCommand, error) {
	verbs := []string{"up", "check", "status", "fault", "exec", "down"}
	if len(arguments) == 0 || !slices.Contains(verbs, arguments[0]) {
		return nil, refuse("set a lab command\n%s", labHelp())
	}
	c := &labCommand{verb: arguments[0]}
	flags := flag.NewFlagSet("lab", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&c.root, "run", lab.DefaultRoot(), "")
	switch c.verb {
	case "up":
		flags.BoolVar(&c.detach, "detach", false, "")
		flags.StringVar(&c.controlPlane, "control-plane", "", "")
		flags.StringVar(&c.tokens, "tokens", "", "")
		flags.StringVar(&c.state, "state", "", "")
	case "status":
		flags.BoolVar(&c.json, "json", false, "")
	}
	// Flags may be before and after the file; exec passes on those of its command.
	rest := arguments[1:]
	for {
		if err := flags.Parse(rest); err != nil {
			return nil, refuse("%w\n%s", err, labHelp())
		}
		if rest = flags.Args(); len(rest) == 0 {
			break
		}
		if c.file == "" {
			c.file, rest = rest[0], rest[1:]
		} else {
			c.arguments, rest = append(c.arguments, rest[0]), rest[1:]
		}
		if c.verb == "exec" && len(c.arguments) == 1 {
			c.arguments = append(c.arguments, rest...)
			break
		}
	}
	if len(c.arguments) > 0 && c.verb != "fault" && c.verb != "exec" {
		return nil, refuse("unexpected argument %q\n%s", c.arguments[0], labHelp())
	}
	if c.controlPlane != "" {
		if err := checkURL(c.controlPlane); err != nil {
			return nil, err
		}
		if c.state == "" {
			return nil, refuse("agents need a folder for their identities: set --state FOLDER")
		}
	}
	return c, c.read()
}

// read loads the topology.
func (c *labCommand) read() (err error) {
	if c.file == "" {
		return refuse("set a topology: a file, or one of %s", topologies.Names())
	}
	c.text, err = os.ReadFile(c.file)
	if errors.Is(err, fs.ErrNotExist) {
		shipped, ok := topologies.Find(c.file)
		if !ok {
			return refuse("there is no file %s and no built-in topology of that name: use a file, or one of %s", c.file, topologies.Names())
		}
		c.text, err = shipped, nil
	}
	if err != nil {
		return refuse("the topology can't be read: %w", err)
	}
	if c.topology, err = topology.Parse(c.text); err != nil {
		return refuse("%s: %w", c.file, err)
	}
	return nil
}

func (c *labCommand) digest() string {
	sum := sha256.Sum256(c.text)
	return hex.EncodeToString(sum[:])
}

func (c *labCommand) printStatus(ctx context.Context, remote lab.Remote) error {
	status, err := remote.Status(ctx)
	if err != nil {
		return labError(err)
	}
	if !c.json {
		return status.Print(os.Stdout)
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "  ")
	return encoder.Encode(status)
}

// labError marks errors that a retry won't fix.
func labError(err error) error {
	if errors.Is(err, lab.ErrDown) || errors.Is(err, lab.ErrElsewhere) {
		return refusal{err}
	}
	return err
}
