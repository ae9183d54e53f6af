package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"

	"fairlead.dev/agents/internal/balancer/datapath/bpf"
	"fairlead.dev/agents/internal/exposition"
)

const decapUsage = `usage: fairlead-agent decap --from PREFIX[,PREFIX…] [--interface NAME] [--metrics-listen ADDR] [--pages-key-file FILE]

Runs at a backend on another network than its balancers, which send to it by tunnel or GUE: takes the outer
headers off, for as long as it runs. The backend needs the service addresses as its own, as on lo.

flags (and the variables that replace absent ones):
  --from PREFIXES        addresses or networks of the balancers: tunnels of others stay closed (FAIRLEAD_DECAP_FROM)
  --interface NAME       where tunnelled packets arrive; eth0 by default (FAIRLEAD_INTERFACE)
  --metrics-listen ADDR  serve Prometheus metrics at http://ADDR/metrics; off by default (FAIRLEAD_METRICS_LISTEN)
  --pages-key-file FILE  a key with which other hosts may read them, as "Authorization: Bearer KEY"; without it
                         only this host can (FAIRLEAD_PAGES_KEY_FILE)`

type decapSettings struct {
	iface string
	pages pagesOptions
	from  []netip.Prefix
}

// runDecap runs the command if it is this one.
func runDecap(ctx context.Context, arguments []string) (mine bool, err error) {
	if len(arguments) == 0 || arguments[0] != "decap" {
		return false, nil
	}
	if slices.Contains([]string{"help", "--help", "-h"}, arguments[len(arguments)-1]) {
		fmt.Println(decapUsage)
		return true, nil
	}
	s, err := parseDecap(arguments[1:], os.Getenv)
	if err != nil {
		return true, err
	}
	log := newLogger(&settings{role: "decap"})
	decap, err := bpf.OpenDecap(s.iface, s.from)
	if err != nil {
		return true, err
	}
	stopPages, err := servePages(s.pages, map[string]http.Handler{"/metrics": decapMetrics(decap)}, log)
	if err == nil {
		log.Info("decapsulating packets of balancers", "interface", s.iface, "from", s.from)
		<-ctx.Done()
		stopPages()
		logCounts(log, decap)
	}
	if closed := decap.Close(); err == nil {
		err = closed
	}
	return true, err
}

func parseDecap(arguments []string, getenv func(string) string) (*decapSettings, error) {
	s := &decapSettings{}
	flags := flag.NewFlagSet("decap", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&s.iface, "interface", firstOf(getenv("FAIRLEAD_INTERFACE"), "eth0"), "")
	flags.StringVar(&s.pages.listen, "metrics-listen", getenv("FAIRLEAD_METRICS_LISTEN"), "")
	flags.StringVar(&s.pages.keyFile, "pages-key-file", getenv("FAIRLEAD_PAGES_KEY_FILE"), "")
	from := flags.String("from", getenv("FAIRLEAD_DECAP_FROM"), "")
	if err := flags.Parse(arguments); err != nil {
		return nil, refuse("%w\n%s", err, decapUsage)
	}
	if flags.NArg() > 0 {
		return nil, refuse("unexpected argument %q\n%s", flags.Arg(0), decapUsage)
	}
	if *from == "" {
		return nil, refuse("set the tunnel sources: --from 10.0.0.0/24,fd00::/64, the addresses or networks of the balancers")
	}
	for _, text := range strings.Split(*from, ",") {
		prefix, err := parseSource(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		s.from = append(s.from, prefix)
	}
	if _, err := net.InterfaceByName(s.iface); err != nil {
		return nil, refuse("there is no interface %q here (%w): name the one where tunnelled packets arrive with --interface", s.iface, err)
	}
	return s, nil
}

func parseSource(text string) (netip.Prefix, error) {
	if address, err := netip.ParseAddr(text); err == nil && address.Zone() == "" {
		return netip.PrefixFrom(address.Unmap(), address.Unmap().BitLen()), nil
	}
	prefix, err := netip.ParsePrefix(text)
	if err != nil {
		return prefix, refuse("--from: %q is neither an address nor a network: use the form 10.0.0.2 or 10.0.0.0/24", text)
	}
	if prefix.Bits() == 0 {
		return prefix, refuse("--from: %s accepts any source, which allows spoofed packets: use the networks of the balancers", text)
	}
	return prefix, nil
}

func decapMetrics(decap *bpf.Decap) http.Handler {
	return exposition.Page(func() ([]exposition.Family, error) {
		unwrapped, unknown, err := decap.Counts()
		counter := func(name, help string, count uint64) exposition.Family {
			return exposition.Family{Name: name, Help: help, Kind: exposition.Counter, Samples: []exposition.Sample{{Value: float64(count)}}}
		}
		return []exposition.Family{
			counter("fairlead_tunnel_packets_unwrapped_total", "Packets decapsulated.", unwrapped),
			counter("fairlead_tunnel_packets_unknown_source_total", "Packets not decapsulated: their source is not in --from.", unknown),
		}, err
	})
}

func logCounts(log *slog.Logger, decap *bpf.Decap) {
	unwrapped, unknown, err := decap.Counts()
	if err != nil {
		log.Warn("could not read the packet counters", "err", err)
		return
	}
	log.Info("stopped", "unwrapped", unwrapped, "unknownSource", unknown)
}
