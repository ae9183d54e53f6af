package ecmp

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// subject is a router whose kernel is measured.
type subject struct {
	name  string
	needs []string // programs
	start func(*site) (ender, error)
}

// ender can be stopped.
type ender interface{ end() }

const (
	zebra = "/usr/lib/frr/zebra"
	bgpd  = "/usr/lib/frr/bgpd"
	bird  = "/usr/sbin/bird"
)

// Ours is the name of our own router.
const Ours = "Fairlead"

func subjects(options Options) []subject {
	return []subject{
		{Ours, nil, (*site).startOurs},
		{"FRR", []string{zebra, bgpd, options.FRR}, func(s *site) (ender, error) { return s.startFRR(options.FRR) }},
		{"BIRD", []string{bird, options.BIRD}, func(s *site) (ender, error) { return s.startBIRD(options.BIRD) }},
	}
}

// missing names a required program that isn't installed.
func (s subject) missing() string {
	for _, path := range s.needs {
		if _, err := os.Stat(path); err != nil {
			return fmt.Sprintf("%q isn't there", path)
		}
	}
	return ""
}

// pick returns the named subjects.
func pick(all []subject, names []string) ([]subject, error) {
	known := map[string]bool{}
	for _, s := range all {
		known[s.name] = true
	}
	for _, name := range names {
		if !known[name] {
			return nil, fmt.Errorf("there is no subject %q; give some of: Fairlead, FRR, BIRD", name)
		}
	}
	return slices.DeleteFunc(all, func(s subject) bool { return len(names) > 0 && !slices.Contains(names, s.name) }), nil
}

func (s *site) startOurs() (ender, error) {
	m, err := newMember(s.router, s.options.Agent, s.folder, "router")
	if err != nil {
		return nil, err
	}
	if _, err := m.configure(routing(reflectorAddresses())); err != nil {
		return nil, err
	}
	return m, m.start()
}

// daemons are third-party routers.
type daemons []*process

func (d daemons) end() {
	for _, one := range slices.Backward(d) {
		one.end()
	}
}

// startFRR starts FRR as its packages do, except for the paths of its files.
func (s *site) startFRR(text string) (ender, error) {
	account, err := user.Lookup("frr")
	if err != nil {
		return nil, err
	}
	uid, _ := strconv.Atoi(account.Uid)
	gid, _ := strconv.Atoi(account.Gid)
	folder := filepath.Join(s.folder, "frr")
	config, err := os.ReadFile(text)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(
		os.Mkdir(folder, 0o755), os.Chown(folder, uid, gid),
		os.WriteFile(filepath.Join(folder, "zebra.conf"), nil, 0o644), os.WriteFile(filepath.Join(folder, "bgpd.conf"), config, 0o644),
	); err != nil {
		return nil, err
	}
	socket := filepath.Join(folder, "zserv")
	daemon := func(program string, more ...string) (*process, error) {
		name := filepath.Base(program)
		return s.router.run(program, append([]string{
			"-u", "frr", "-g", "frr", "-z", socket, "--vty_socket", folder, "-P", "0",
			"-f", filepath.Join(folder, name+".conf"), "-i", filepath.Join(folder, name+".pid"),
		}, more...)...)
	}
	first, err := daemon(zebra)
	if err != nil {
		return nil, err
	}
	for began := time.Now(); ; time.Sleep(lookEvery) {
		if _, err := os.Stat(socket); err == nil {
			break
		}
		if time.Since(began) > startMost {
			first.end()
			return nil, fmt.Errorf("zebra doesn't listen: %s", first.printed.String())
		}
	}
	second, err := daemon(bgpd, "-p", "179")
	if err != nil {
		first.end()
		return nil, err
	}
	return daemons{first, second}, nil
}

func (s *site) startBIRD(text string) (ender, error) {
	one, err := s.router.run(bird, "-f", "-c", text, "-s", filepath.Join(s.folder, "bird.ctl"))
	if err != nil {
		return nil, err
	}
	return daemons{one}, nil
}
