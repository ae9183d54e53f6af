package bench

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/netip"
	"os"
	"strings"
	"time"

	"fairlead.dev/agents/internal/bench/adaptive"
)

// adaptivePods measures with parts of the lab that run in pods, and connect to this process.
func adaptivePods(ctx context.Context, arguments []string) error {
	options := adaptive.PodOptions{Services: map[string]netip.AddrPort{}}
	flags := flag.NewFlagSet("adaptive-pods", flag.ContinueOnError)
	flags.IntVar(&options.Rounds, "rounds", 14, "number of measurements of each subject in each scenario")
	flags.DurationVar(&options.Warmup, "warmup", time.Second, "part of each turn that is not measured")
	flags.DurationVar(&options.For, "for", 3*time.Second, "duration of the measurement in each turn")
	flags.StringVar(&options.Listen, "listen", "", "address and port where the parts in pods connect")
	pods := flags.String("pods", "", "comma-separated cgroups of all pods of each node")
	scenarios := flags.String("scenarios", "", "measure only these, semicolon-separated")
	for _, subject := range []string{adaptive.Ours, adaptive.KubeProxy} {
		flags.Func(subject, "address and port of the service", func(text string) (err error) {
			options.Services[subject], err = netip.ParseAddrPort(text)
			return err
		})
	}
	if err := parse(flags, arguments); err != nil {
		return err
	}
	folders := strings.Split(*pods, ",")
	if len(folders) != len(options.Pods) {
		return fmt.Errorf("--pods has %d cgroups; give one for each of %d nodes", len(folders), len(options.Pods))
	}
	copy(options.Pods[:], folders)
	options.Scenarios = list(*scenarios)
	if err := options.Check(); err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	return adaptive.RunPods(ctx, options, func(line adaptive.Line) { _ = out.Encode(line) })
}

// delayCommand is delay lines between interfaces, until it is ended.
func delayCommand(ctx context.Context, arguments []string) error {
	var options adaptive.DelayOptions
	flags := flag.NewFlagSet("delay", flag.ContinueOnError)
	flags.StringVar(&options.Namespace, "namespace", "/proc/self/ns/net", "file of the network namespace of the interfaces")
	flags.DurationVar(&options.RoundTrip, "round-trip", 0, "delay of both directions together")
	ends := flags.String("ends", "", "comma-separated lines, each of two interfaces: a:b")
	if err := parse(flags, arguments); err != nil {
		return err
	}
	for _, line := range strings.FieldsFunc(*ends, func(each rune) bool { return each == ',' }) {
		a, b, isPair := strings.Cut(line, ":")
		if !isPair {
			return fmt.Errorf("--ends: %q isn't two interfaces, such as a:b", line)
		}
		options.Ends = append(options.Ends, [2]string{a, b})
	}
	if err := options.Check(); err != nil {
		return err
	}
	return adaptive.Delay(ctx, options)
}
