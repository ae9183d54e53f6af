package soak

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"fairlead.dev/agents/internal/bench/benchlab"
	"fairlead.dev/agents/internal/lab"
	"fairlead.dev/agents/internal/lab/topology"
	"fairlead.dev/agents/internal/netspace"
)

// self is the place of the lab's own process.
const self = "the lab"

// observe takes several readings and combines them.
func observe(ctx context.Context, l *benchlab.Lab, looks int, of func(a, b int64) int64) (Held, error) {
	var held Held
	for i := range looks {
		if i > 0 {
			if err := benchlab.Pause(ctx, time.Second); err != nil {
				return nil, err
			}
		}
		now, err := observeOnce(ctx, l)
		if err != nil {
			return nil, err
		}
		if held == nil {
			held = now
		} else {
			held = held.both(now, of)
		}
	}
	return held, nil
}

func observeOnce(ctx context.Context, l *benchlab.Lab) (Held, error) {
	status, err := l.Status(ctx)
	if err != nil {
		return nil, err
	}
	held := Held{}
	held.add("goroutines", self, int64(status.Routines))
	if err := held.process(self, l.Pid()); err != nil {
		return nil, err
	}
	clients, err := connected(ctx, status)
	if err != nil {
		return nil, err
	}
	wires := lab.MemberStatus{Name: topology.Wires, Namespace: lab.SpaceName(l.Name, topology.Wires)}
	for _, m := range append(status.Members, wires) {
		if err := held.member(ctx, m, clients); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	return held, held.outside(l)
}

// pages are the pages of agents in namespaces, by kind.
var pages = map[string]string{"balancer": "127.0.0.1:9100", "speaker": "127.0.0.1:9101", "reflector": "127.0.0.1:9101", "router": "127.0.0.1:9101"}

// member reads one namespace and the agent in it, if there is one.
func (h Held) member(ctx context.Context, m lab.MemberStatus, clients map[netip.AddrPort]bool) error {
	space, err := netspace.Open(m.Namespace)
	if err != nil {
		return err
	}
	defer space.Close()
	links, err := space.Links().LinkList()
	if err != nil {
		return fmt.Errorf("list the interfaces: %w", err)
	}
	h.add("interfaces", m.Name, int64(len(links)))
	if m.Kind == "router" {
		if err := h.routes(ctx, m.Name, space); err != nil {
			return err
		}
	}
	page := pages[m.Kind]
	if page == "" {
		return nil
	}
	routines, err := goroutines(ctx, space, page)
	if err != nil {
		return err
	}
	h.add("goroutines", m.Name, routines)
	if err := h.process(m.Name, m.Pid); err != nil || m.Kind != "balancer" {
		return err
	}
	return h.maps(m.Name, m.Namespace, clients)
}

// routes are all routes in the kernel.
func (h Held) routes(ctx context.Context, where string, space *netspace.Space) error {
	for what, command := range map[string]string{
		"next hops": "ip nexthop", "routes": "ip -4 route show table all", "IPv6 routes": "ip -6 route show table all",
	} {
		words := strings.Fields(command)
		printed, err := space.Run(ctx, words[0], words[1:]...)
		if err != nil {
			return err
		}
		h.add(what, where, int64(strings.Count(printed, "\n")))
	}
	return nil
}

// process counts a process's open files, and its size.
func (h Held) process(where string, pid int) error {
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		return fmt.Errorf("count its files: %w", err)
	}
	h.add("file descriptors", where, int64(len(open)))
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return fmt.Errorf("read its status: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		field, value, _ := strings.Cut(line, ":")
		what, wanted := map[string]string{"Threads": "threads", "VmRSS": "KiB of memory"}[field]
		if !wanted {
			continue
		}
		count, err := strconv.ParseInt(strings.Fields(value)[0], 10, 64)
		if err != nil {
			return fmt.Errorf("read its %s: %w", what, err)
		}
		h.add(what, where, count)
	}
	return nil
}

// outside counts everything on the host with the lab's name.
func (h Held) outside(l *benchlab.Lab) error {
	names, err := netspace.Names(lab.SpaceName(l.Name, ""))
	if err != nil {
		return err
	}
	h.add("namespaces", "the host", int64(len(names)))
	inside, err := netspace.Processes(names...)
	if err != nil {
		return err
	}
	h.add("processes", "the namespaces", int64(len(inside)))
	folders, err := filepath.Glob(filepath.Join(pinned, lab.SpaceName(l.Name, "*")))
	if err != nil {
		return err
	}
	h.add("pinned objects", "the host", int64(len(folders)))
	count, err := files(filepath.Join(l.Root, l.Name))
	if err != nil {
		return err
	}
	h.add("files", self, count)
	return nil
}

// goroutines reads an agent's metrics page.
func goroutines(ctx context.Context, space *netspace.Space, page string) (int64, error) {
	transport := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		return space.Dial(ctx, network, address)
	}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+page+"/metrics", nil)
	if err != nil {
		return 0, err
	}
	response, err := (&http.Client{Transport: transport, Timeout: 5 * time.Second}).Do(request)
	if err != nil {
		return 0, fmt.Errorf("read its metrics: %w", err)
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		if value, is := strings.CutPrefix(lines.Text(), "fairlead_agent_goroutines "); is {
			return strconv.ParseInt(value, 10, 64)
		}
	}
	return 0, errors.Join(lines.Err(), errors.New("its metrics don't have its goroutines"))
}

// connected are the clients' ends of all open connections.
func connected(ctx context.Context, status lab.Status) (map[netip.AddrPort]bool, error) {
	clients := map[netip.AddrPort]bool{}
	for _, m := range status.Members {
		if m.Kind != "client" {
			continue
		}
		space, err := netspace.Open(m.Namespace)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		sockets, err := space.Run(ctx, "ss", "-Htn", "state", "established")
		_ = space.Close()
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(sockets) {
			fields := strings.Fields(line)
			if len(fields) < 4 {
				continue
			}
			end, err := netip.ParseAddrPort(fields[2])
			if err != nil {
				return nil, fmt.Errorf("read the connections of %s: %w", m.Name, err)
			}
			clients[end] = true
		}
	}
	return clients, nil
}
