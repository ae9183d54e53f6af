package main

import (
	"flag"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fairlead.dev/agents/internal/adaptive"
	"fairlead.dev/agents/internal/backend"
	"fairlead.dev/agents/internal/balancer"
	"fairlead.dev/agents/internal/controlplane"
	"fairlead.dev/agents/internal/node"
	"fairlead.dev/agents/internal/reflector"
	"fairlead.dev/agents/internal/router"
	"fairlead.dev/agents/internal/speaker"
)

const usage = `usage: fairlead-agent ROLE [flags]
       fairlead-agent decap --from PREFIX[,PREFIX…]
       fairlead-agent simulate < PLANS
       fairlead-agent lab up|check|status|fault|exec|down FILE
       fairlead-agent version

roles:
  node       measure this host and report its facts
  balancer   carry packets of service addresses to healthy backends
  speaker    advertise the addresses of the balancer next to it to routers, by BGP
  reflector  reflect the routes of speakers to routers, by BGP
  router     install the routes of BGP peers in the kernel
  backend    let the servers of this node take connections by TLS session
  adaptive   send each connection of this node to the node where one more request costs least

flags (and the variables that replace absent ones):
  --control-plane URL    https://host:port of the control plane (FAIRLEAD_CONTROL_PLANE)
  --token-file FILE      the enrolment token, "-" for standard input (or the token itself in FAIRLEAD_TOKEN);
                         needed once: an agent with an identity of that control plane ignores it
  --state FOLDER         folder for the identity and the last good config (FAIRLEAD_STATE)
  --state-key FILE       a key of 32 bytes or more, with which the last good config is encrypted; the file config.key
                         in that folder by default, which the agent creates (FAIRLEAD_STATE_KEY)
  --node-name NAME       name of this node; its hostname by default (FAIRLEAD_NODE)
  --metrics-listen ADDR  serve Prometheus metrics at http://ADDR/metrics; off by default (FAIRLEAD_METRICS_LISTEN)
  --pages-key-file FILE  a key with which other hosts may read these pages, as "Authorization: Bearer KEY"; without
                         it only this host can (FAIRLEAD_PAGES_KEY_FILE)
  --log FORMAT           text or json (FAIRLEAD_LOG)
  --verbose              log every retry too

flags of the node:
  --echo-listen ADDR     where other nodes measure the round trip to this one, by UDP; port 7445 of the address
                         that this host uses towards the control plane by default, or "off" (FAIRLEAD_ECHO_LISTEN)

flags of all roles but node:
  --interface NAME       where packets of clients arrive, or where peers are; eth0 by default (FAIRLEAD_INTERFACE);
                         not of the backend, which finds the interfaces of its servers, nor of adaptive
  --config FILE          read configs from a file instead of a control plane: a NodeConfig in protojson, read
                         again whenever it is replaced (FAIRLEAD_CONFIG)
  with --metrics-listen they also serve /status; the balancer and adaptive serve /readyz, the balancer serves
  /addresses, and the roles with BGP /routes?covers=ADDRESS

flags of the balancer, the backend and adaptive:
  --replica NAME         name of its objects in the kernel; the node's name by default, so several agents of one role
                         on one node need one each (FAIRLEAD_REPLICA)

flags of the balancer:
  --connections N        limit of tracked connections; the engine's default otherwise, 262144 with eBPF
                         (FAIRLEAD_CONNECTIONS)
  --flows-listen ADDR    where this replica exchanges connections with its peers;
                         the interface's address and port 7444 by default, or "off" (FAIRLEAD_FLOWS_LISTEN)
  --adaptive NAME        what --replica of this node's agent of the role adaptive is, for services by cost; the node's
                         name by default (FAIRLEAD_ADAPTIVE)
  with services by TLS session it also listens at UDP port 7447 of the interface's addresses, for agents of the
  role backend

flags of the speaker:
  --balancer URL         the pages of the balancer next to it, http://127.0.0.1:9100 by default; "off" for a
                         third-party balancer (FAIRLEAD_BALANCER). It is sent the key of --pages-key-file, if set

flags of the backend:
  --namespaces PATTERN   files of the network namespaces in which it looks for servers, such as "/run/netns/*"; by
                         default those of all processes, for which it needs the host's process IDs and the capability
                         SYS_PTRACE (FAIRLEAD_NAMESPACES)

flags of adaptive:
  --cgroup FOLDER        of version 2: connections of its processes, and of all cgroups below it, are distributed; by
                         default those of all processes (FAIRLEAD_CGROUP)
  --cpu-cgroup FOLDER    its CPU limit is that of the backends of this node together, unless the config sets their
                         cores; by default that of all pods, if a kubelet runs them in --cgroup, or else --cgroup
                         (FAIRLEAD_CPU_CGROUP)
  --mesh-listen ADDR     where this node receives figures of others, by UDP; port 7448 of the address that this host uses
                         towards the control plane by default (FAIRLEAD_MESH_LISTEN)`

// settings are the command line and the environment.
type settings struct {
	role         string
	controlPlane string
	token        *controlplane.Token // nil if none was given
	tokenErr     error               // only matters to an agent that needs one
	state        string
	stateKey     string // a file; empty: one in state
	node         string
	pages        pagesOptions
	jsonLog      bool
	verbose      bool

	echoListen string // of the node

	// All roles except node:
	iface      string
	configFile string // instead of a control plane

	replica string // of the balancer, the backend and adaptive

	// Balancer:
	flowsListen string
	connections int    // 0: the engine's default
	adaptive    string // name of the node's agent of that role; empty: the node's

	balancer string // of the speaker

	namespaces string // of the backend

	// Adaptive:
	cgroup     string // empty: that of all processes
	cpuCgroup  string // empty: that of pods, or cgroup
	meshListen string // empty: the address towards the control plane
}

var roleNames = []string{node.RoleName, balancer.RoleName, speaker.RoleName, reflector.RoleName, router.RoleName, backend.RoleName, adaptive.RoleName}

func parseSettings(arguments []string, getenv func(string) string, stdin io.Reader) (*settings, error) {
	if len(arguments) == 0 || strings.HasPrefix(arguments[0], "-") {
		return nil, refuse("set the role to run\n%s", usage)
	}
	if !slices.Contains(roleNames, arguments[0]) {
		return nil, refuse("there is no role %q\n%s", arguments[0], usage)
	}
	s := &settings{role: arguments[0]}
	flags := flag.NewFlagSet("fairlead-agent", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&s.controlPlane, "control-plane", getenv("FAIRLEAD_CONTROL_PLANE"), "")
	tokenFile := flags.String("token-file", "", "")
	flags.StringVar(&s.state, "state", firstOf(getenv("FAIRLEAD_STATE"), defaultState(getenv)), "")
	flags.StringVar(&s.stateKey, "state-key", getenv("FAIRLEAD_STATE_KEY"), "")
	flags.StringVar(&s.node, "node-name", getenv("FAIRLEAD_NODE"), "")
	flags.StringVar(&s.pages.listen, "metrics-listen", getenv("FAIRLEAD_METRICS_LISTEN"), "")
	flags.StringVar(&s.pages.keyFile, "pages-key-file", getenv("FAIRLEAD_PAGES_KEY_FILE"), "")
	logFormat := flags.String("log", firstOf(getenv("FAIRLEAD_LOG"), "text"), "")
	flags.BoolVar(&s.verbose, "verbose", false, "")
	var connections *string
	if s.role == node.RoleName {
		flags.StringVar(&s.echoListen, "echo-listen", getenv("FAIRLEAD_ECHO_LISTEN"), "")
	} else {
		flags.StringVar(&s.configFile, "config", getenv("FAIRLEAD_CONFIG"), "")
	}
	switch s.role {
	case node.RoleName:
	case adaptive.RoleName:
		flags.StringVar(&s.cgroup, "cgroup", getenv("FAIRLEAD_CGROUP"), "")
		flags.StringVar(&s.cpuCgroup, "cpu-cgroup", getenv("FAIRLEAD_CPU_CGROUP"), "")
		flags.StringVar(&s.meshListen, "mesh-listen", getenv("FAIRLEAD_MESH_LISTEN"), "")
	case backend.RoleName:
		flags.StringVar(&s.namespaces, "namespaces", getenv("FAIRLEAD_NAMESPACES"), "")
	default:
		flags.StringVar(&s.iface, "interface", firstOf(getenv("FAIRLEAD_INTERFACE"), "eth0"), "")
	}
	if s.role == speaker.RoleName {
		flags.StringVar(&s.balancer, "balancer", firstOf(getenv("FAIRLEAD_BALANCER"), "http://127.0.0.1:9100"), "")
	}
	if slices.Contains([]string{balancer.RoleName, backend.RoleName, adaptive.RoleName}, s.role) {
		flags.StringVar(&s.replica, "replica", getenv("FAIRLEAD_REPLICA"), "")
	}
	if s.role == balancer.RoleName {
		connections = flags.String("connections", getenv("FAIRLEAD_CONNECTIONS"), "")
		flags.StringVar(&s.flowsListen, "flows-listen", getenv("FAIRLEAD_FLOWS_LISTEN"), "")
		flags.StringVar(&s.adaptive, "adaptive", getenv("FAIRLEAD_ADAPTIVE"), "")
	}
	if err := flags.Parse(arguments[1:]); err != nil {
		return nil, refuse("%w\n%s", err, usage)
	}
	if flags.NArg() > 0 {
		return nil, refuse("unexpected argument %q\n%s", flags.Arg(0), usage)
	}
	if err := s.checkSource(); err != nil {
		return nil, err
	}
	if _, err := filepath.Match(s.namespaces, ""); err != nil {
		return nil, refuse("%q is not a pattern of files (%w): set --namespaces, such as /run/netns/*", s.namespaces, err)
	}
	if connections != nil && *connections != "" {
		if err := s.setConnections(*connections); err != nil {
			return nil, err
		}
	}
	if *logFormat != "text" && *logFormat != "json" {
		return nil, refuse("the log format is text or json, not %q", *logFormat)
	}
	s.jsonLog = *logFormat == "json"
	if s.node == "" {
		hostname, err := os.Hostname()
		if err != nil {
			return nil, refuse("this host has no name (%w): choose one with --node-name", err)
		}
		s.node = hostname
	}
	s.token, s.tokenErr = readToken(*tokenFile, getenv("FAIRLEAD_TOKEN"), stdin)
	return s, nil
}

func (s *settings) setConnections(text string) error {
	const least, most = 1024, 1 << 24 // 80 bytes of the kernel's memory each
	number, err := strconv.Atoi(text)
	if err != nil || number < least || number > most {
		return refuse("--connections is %q: use a number from %d to %d", text, least, most)
	}
	s.connections = number
	return nil
}

// checkSource checks that configs have exactly one source.
func (s *settings) checkSource() error {
	if s.configFile == "" {
		return checkURL(s.controlPlane)
	}
	if s.controlPlane != "" {
		return refuse("configs come from a control plane or from a file: leave out --control-plane or --config")
	}
	return nil
}

func checkURL(text string) error {
	if text == "" {
		return refuse("set the control plane's address: --control-plane https://host:port")
	}
	address, err := url.Parse(text)
	if err != nil || address.Scheme != "https" || address.Host == "" {
		return refuse("%q is not an address of a control plane: use the form https://host:port", text)
	}
	return nil
}

// defaultState depends on the user that runs the agent.
func defaultState(getenv func(string) string) string {
	if os.Geteuid() == 0 {
		return "/var/lib/fairlead-agent"
	}
	return filepath.Join(firstOf(getenv("XDG_STATE_HOME"), filepath.Join(getenv("HOME"), ".local", "state")), "fairlead-agent")
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
