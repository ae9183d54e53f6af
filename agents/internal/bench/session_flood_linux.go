package bench

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/bench/benchlab"
	"fairlead.dev/agents/internal/bench/load"
	"fairlead.dev/agents/internal/bench/occupancy"
	"fairlead.dev/agents/internal/bench/synflood"
	"fairlead.dev/agents/internal/netspace"
)

const (
	floodHost        = 6
	floodService     = 200             // number of the address of the plain service
	floodReturnRate  = 100             // connections per second: little enough for the processors that the flood leaves
	floodSettles     = time.Second     // before clients begin
	floodMapsOpen    = 3 * time.Second // at most, until maps are counted
	floodResumptions = load.PSK
)

// Flooded is how clients return without and with a flood of SYNs at the same service.
type Flooded struct {
	Service string    `json:"service"`
	Rate    int       `json:"rate"`    // wanted, per second
	Sent    float64   `json:"sent"`    // per second
	Arrived float64   `json:"arrived"` // at the replica, per second
	Quiet   *Returned `json:"quiet"`
	Under   *Returned `json:"under"`
	Maps    []MapUse  `json:"maps"`
}

// MapUse is how full a map of a process was.
type MapUse struct {
	Process string `json:"process"`
	Map     string `json:"map"`
	Kind    string `json:"kind"`
	Most    uint32 `json:"most"`
	Before  uint32 `json:"before"`
	During  uint32 `json:"during"`
	After   uint32 `json:"after"`
}

// floodProcess sends SYNs until it is interrupted, and prints how many.
func floodProcess(ctx context.Context, arguments []string) error {
	options := synflood.Options{Interface: netInterface, From: mac(floodHost)}
	flags := flag.NewFlagSet("flood", flag.ContinueOnError)
	to := flags.String("to", "", "address and port")
	host := flags.Uint("host", 0, "number of the next host")
	flags.IntVar(&options.Rate, "rate", 0, "SYNs per second")
	if err := parse(flags, arguments); err != nil {
		return err
	}
	target, err := addresses("--to", *to)
	if err != nil {
		return err
	}
	options.Target, options.To = target[0], mac(byte(*host))
	sent, err := synflood.Send(ctx, options)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(sent)
}

// plainService has the same backends, and places each connection by its addresses.
func (l *sessionLab) plainService() datapath.Service {
	service := datapath.Service{
		Key: datapath.Key{Address: serviceAddress(floodService), Port: securePort, Protocol: datapath.TCP}, Delivery: datapath.Direct,
	}
	for _, b := range usual() {
		service.Backends = append(service.Backends, datapath.Backend{
			ID: sessionHosts[b.index], Address: hostAddress(backendHost(b.index)), Port: securePort, Weight: 1, State: datapath.Active, Up: true,
		})
	}
	return service
}

// measureFlood floods the service by session, and then a plain one of the same replica and backends.
func (l *sessionLab) measureFlood(ctx context.Context, plan SessionPlan, print func(SessionLine)) error {
	if plan.FloodRate == 0 {
		return nil
	}
	flooder, err := l.addFlooder()
	if err != nil {
		return err
	}
	l.plain = true
	defer func() { l.plain = false }()
	pod := l.replicas[0].pod
	plain := netip.PrefixFrom(serviceAddress(floodService), 32)
	if err := errors.Join(pod.space.AddLocal(plain), l.client.AddRoute(plain, hostAddress(pod.host)), l.setReplica(0, usual())); err != nil {
		return err
	}
	for _, each := range []struct {
		name   string
		number int
	}{{bySession, sessionService}, {tcx + " " + string(datapath.Direct), floodService}} {
		flooded, err := l.floodOne(ctx, plan, flooder, netip.AddrPortFrom(serviceAddress(each.number), securePort))
		if err != nil {
			return fmt.Errorf("flood %s: %w", each.name, err)
		}
		flooded.Service = each.name
		print(SessionLine{Flooded: flooded})
	}
	return nil
}

// addFlooder adds the host that floods. Backends reply to it, and it drops the replies.
func (l *sessionLab) addFlooder() (*netspace.Space, error) {
	space, err := l.host("flooder", floodHost)
	if err != nil {
		return nil, err
	}
	err = space.SetSysctls(map[string]string{"net/ipv4/conf/all/forwarding": "0", "net/ipv4/conf/" + netInterface + "/forwarding": "0"})
	for _, backend := range l.backends {
		err = errors.Join(err, addNeighbours(backend, floodHost), backend.AddRoute(synflood.Sources, hostAddress(floodHost)))
	}
	return space, err
}

// floodOne measures how clients of a service return before the flood, and then under it.
func (l *sessionLab) floodOne(ctx context.Context, plan SessionPlan, flooder *netspace.Space, target netip.AddrPort) (f *Flooded, err error) {
	f = &Flooded{Rate: plan.FloodRate}
	users := min(returnUsers, max(fewestReturns, plan.FloodReturns/20))
	connections := users + int(1.1*float64(plan.FloodReturns*returnConnections)/(returnConnections-1))
	traffic := returning{to: target, rate: floodReturnRate, users: users, span: time.Duration(connections) * time.Second / floodReturnRate}
	c, still := ReturnCase{Resumption: floodResumptions, Family: 4, Timestamps: true, HelloPackets: 1, Change: NoChange}, &changes{lab: l, leaving: traffic.span}
	if err := l.client.SetSysctl("net/ipv4/tcp_timestamps", "1"); err != nil {
		return nil, err
	}
	if f.Quiet, err = l.loadReturns(ctx, c, traffic, still, func() error { return nil }); err != nil {
		return nil, err
	}
	before, err := l.mapsInUse()
	if err != nil {
		return nil, err
	}
	stop, err := l.startFlood(flooder, target, plan.FloodRate)
	if err != nil {
		return nil, err
	}
	from, err := l.arrivals()
	var during, after []MapUse
	began, arrived := time.Now(), uint64(0)
	if err == nil {
		err = benchlab.Pause(ctx, floodSettles)
	}
	if err == nil {
		f.Under, err = l.loadReturns(ctx, c, traffic, still, func() (err error) {
			if err := benchlab.Pause(ctx, traffic.span-min(traffic.span/2, floodMapsOpen)); err != nil {
				return err
			}
			during, err = l.mapsInUse()
			return err
		})
	}
	if err == nil {
		arrived, err = l.arrivals()
		f.Arrived = float64(arrived-from) / time.Since(began).Seconds()
	}
	sent, failed := stop()
	if err = errors.Join(err, failed); err != nil {
		return nil, err
	}
	f.Sent = float64(sent.SYNs) / sent.Seconds
	if after, err = l.mapsInUse(); err != nil {
		return nil, err
	}
	f.Maps = together(before, during, after)
	return f, nil
}

// startFlood starts the process that floods.
func (l *sessionLab) startFlood(flooder *netspace.Space, target netip.AddrPort, rate int) (stop func() (synflood.Sent, error), err error) {
	command := exec.Command("/proc/self/exe", "flood", "--to", target.String(), "--host", fmt.Sprint(l.replicas[0].pod.host), "--rate", fmt.Sprint(rate))
	command.Stderr = os.Stderr
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := flooder.StartBound(command); err != nil {
		return nil, err
	}
	return func() (sent synflood.Sent, err error) {
		if err := command.Process.Signal(unix.SIGTERM); err != nil {
			return sent, errors.Join(err, command.Wait())
		}
		err = json.NewDecoder(output).Decode(&sent)
		return sent, errors.Join(err, command.Wait())
	}, nil
}

// arrivals is how many packets have arrived at the first replica, without those of clients. Its companions send few.
func (l *sessionLab) arrivals() (uint64, error) {
	pod, err := l.replicas[0].pod.space.Links().LinkByName(netInterface)
	if err != nil {
		return 0, err
	}
	client, err := l.client.Links().LinkByName(netInterface)
	if err != nil {
		return 0, err
	}
	return pod.Attrs().Statistics.RxPackets - client.Attrs().Statistics.TxPackets, nil
}

// mapsInUse returns the maps of the replica and of all companions, as they are before a flood.
func (l *sessionLab) mapsInUse() (list []MapUse, err error) {
	processes := map[string]int{"replica": l.replicas[0].command.Process.Pid}
	names := []string{"replica"}
	for i, c := range l.companions[:usualBackends] {
		name := "companion " + sessionHosts[i]
		names = append(names, name)
		processes[name] = c.command.Process.Pid
	}
	for _, name := range names {
		maps, err := occupancy.Of(processes[name])
		if err != nil {
			return nil, fmt.Errorf("the maps of the %s: %w", name, err)
		}
		for _, usage := range maps {
			list = append(list, MapUse{Process: name, Map: usage.Map, Kind: usage.Kind, Most: usage.Most, Before: usage.Entries})
		}
	}
	return list, nil
}

// together combines the counts of three times.
func together(before, during, after []MapUse) []MapUse {
	entries := func(list []MapUse, of MapUse) uint32 {
		for _, each := range list {
			if each.Process == of.Process && each.Map == of.Map && each.Most == of.Most {
				return each.Before
			}
		}
		return 0
	}
	all := make([]MapUse, 0, len(before))
	for _, each := range before {
		each.During, each.After = entries(during, each), entries(after, each)
		all = append(all, each)
	}
	return all
}
