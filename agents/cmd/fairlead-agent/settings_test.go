package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/controlplane/controlplanetest"
)

func environment(variables map[string]string) func(string) string {
	return func(name string) string { return variables[name] }
}

func TestEveryErrorNamesTheFix(t *testing.T) {
	busy := t.TempDir()
	release, err := lockFolder(busy)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	damaged := t.TempDir()
	if err := os.WriteFile(filepath.Join(damaged, "identity.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}

	const url = "--control-plane=https://127.0.0.1:1"
	for _, test := range []struct {
		name      string
		arguments []string
		want      string
	}{
		{"no role", nil, "set the role to run"},
		{"unknown role", []string{"nod"}, `there is no role "nod"`},
		{"no address", []string{"node"}, "set the control plane's address: --control-plane https://host:port"},
		{"plain http", []string{"node", "--control-plane=http://a:1"}, `"http://a:1" is not an address of a control plane: use the form https://host:port`},
		{"unknown flag", []string{"node", "--colour"}, "flag provided but not defined"},
		{"one too many", []string{"node", url, "more"}, `unexpected argument "more"`},
		{"unknown log format", []string{"node", url, "--log=xml"}, `the log format is text or json, not "xml"`},
		{"two sources", []string{"balancer", url, "--config=/config.json"}, "leave out --control-plane or --config"},
		{"few connections", []string{"balancer", url, "--connections=10"}, `--connections is "10": use a number from 1024 to 16777216`},
		{"no number of connections", []string{"balancer", url, "--connections=many"}, `--connections is "many"`},
		{"a balancer's flag on a node", []string{"node", url, "--config=/config.json"}, "flag provided but not defined"},
		{"a balancer's flag on a backend", []string{"backend", url, "--interface=eth0"}, "flag provided but not defined"},
		{"a balancer's flag on adaptive", []string{"adaptive", url, "--interface=eth0"}, "flag provided but not defined"},
		{"no pattern of namespaces", []string{"backend", "--config=/config.json", "--namespaces=[", "--state=" + t.TempDir()}, `"[" is not a pattern of files`},
		{"no token", []string{"node", url, "--state=" + t.TempDir()}, "this agent is not enrolled and has no token: create one"},
		{"no such token file, no token", []string{"node", url, "--state=" + t.TempDir(), "--token-file=/nonexistent"}, "this agent is not enrolled"},
		{"garbled token", []string{"node", url, "--state=" + t.TempDir(), "--token-file=-"}, "this is not a Fairlead enrolment token"},
		{"folder in use", []string{"node", url, "--state=" + busy}, "another agent uses the state folder"},
		{"folder is a file", []string{"node", url, "--state=" + file}, "choose another with --state"},
		{"damaged identity", []string{"node", url, "--state=" + damaged}, "is damaged; delete it and enrol with a new token"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := parseSettings(test.arguments, environment(nil), strings.NewReader("hello"))
			if err == nil {
				var release func()
				if release, err = preflight(s); err == nil {
					release()
				}
			}
			if err == nil || !errors.As(err, new(refusal)) || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("err = %v, want %q", err, test.want)
			}
		})
	}
}

func TestFlagsOverrideTheEnvironment(t *testing.T) {
	token := controlplanetest.New(t).NewToken()
	s, err := parseSettings([]string{"node", "--node-name=flag", "--token-file=-"}, environment(map[string]string{
		"FAIRLEAD_CONTROL_PLANE": "https://cp:8443", "FAIRLEAD_NODE": "variable", "FAIRLEAD_STATE": "/state", "FAIRLEAD_STATE_KEY": "/key", "FAIRLEAD_TOKEN": "garbled",
	}), strings.NewReader(token+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	if s.controlPlane != "https://cp:8443" || s.node != "flag" || s.state != "/state" || s.stateKey != "/key" || s.token == nil || s.tokenErr != nil {
		t.Fatalf("settings = %+v", s)
	}
}
