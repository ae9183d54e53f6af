package load

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

// VoidError reports that the figures of a run are void.
type VoidError struct{ Reasons []string }

func (e VoidError) Error() string { return "the run is void: " + strings.Join(e.Reasons, "; ") }

// VoidExitCode is the command's exit code for a void run.
const VoidExitCode = 3

// Command is `fairlead-bench load`: it parses the arguments, runs the load and prints the report.
func Command(ctx context.Context, arguments []string, out, notes io.Writer) (err error) {
	options, format, err := parse(ctx, arguments)
	if errors.Is(err, flag.ErrHelp) {
		_, err := io.WriteString(out, help)
		return err
	}
	if err != nil {
		return err
	}
	if err := options.Check(); err != nil {
		return err
	}
	if format.returns != "" {
		file, err := os.Create(format.returns)
		if err != nil {
			return fmt.Errorf("--returns is %q: %w", format.returns, err)
		}
		buffered := bufio.NewWriter(file)
		defer func() { err = errors.Join(err, buffered.Flush(), file.Close()) }()
		options.Returns = buffered
	}
	if !format.json {
		_, _ = fmt.Fprintf(notes, "Sending %g requests/s to %s for %v, after %v of warm-up. Ctrl-C ends it early.\n",
			options.Rate, options.URL, options.For, options.Warmup)
	}
	report, err := Run(ctx, options)
	if err != nil && report.URL == "" {
		return err
	}
	if format.json {
		err = errors.Join(err, json.NewEncoder(out).Encode(report))
	} else {
		err = errors.Join(err, report.print(out))
	}
	if err == nil && report.Void {
		err = VoidError{report.VoidReasons}
	}
	return err
}

// format is how to report.
type format struct {
	json    bool
	returns string // file
}

func parse(ctx context.Context, arguments []string) (o Options, f format, err error) {
	o.Header = http.Header{"User-Agent": {"fairlead-bench"}}
	o.Backend = BackendName{"X-Backend"}
	var connect, sources, authorities, arrivals, resumption string
	flags := flag.NewFlagSet("load", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Float64Var(&o.Rate, "rate", 100, "")
	flags.StringVar(&arrivals, "arrivals", string(Poisson), "")
	flags.Uint64Var(&o.Seed, "seed", 1, "")
	flags.DurationVar(&o.For, "for", 30*time.Second, "")
	flags.DurationVar(&o.Warmup, "warmup", 2*time.Second, "")
	flags.IntVar(&o.Users, "users", 100, "")
	flags.DurationVar(&o.Think, "think", 0, "")
	flags.IntVar(&o.Requests, "requests", 10, "")
	flags.IntVar(&o.Connections, "connections", 0, "")
	flags.StringVar(&connect, "connect", "", "")
	flags.StringVar(&sources, "source", "", "")
	flags.Func("header", "", func(text string) error { return addHeader(o.Header, text) })
	flags.Func("backend", "", func(text string) (err error) { o.Backend, err = ParseBackendName(text); return err })
	flags.StringVar(&resumption, "tls", string(PSK), "")
	flags.StringVar(&o.TLS.ServerName, "server-name", "", "")
	flags.StringVar(&authorities, "ca", "", "")
	flags.BoolVar(&o.TLS.Insecure, "insecure", false, "")
	flags.IntVar(&o.TLS.HelloPackets, "hello-packets", 1, "")
	flags.DurationVar(&o.Timeout, "timeout", 10*time.Second, "")
	flags.DurationVar(&o.MaxLateness, "max-lateness", time.Millisecond, "")
	flags.StringVar(&f.returns, "returns", "", "")
	flags.BoolVar(&f.json, "json", false, "")
	target, err := parseFlags(flags, arguments)
	if err != nil {
		return o, f, err
	}
	o.Arrivals, o.TLS.Resumption = Arrivals(arrivals), Resumption(resumption)
	if o.URL, err = parseURL(target); err != nil {
		return o, f, err
	}
	if o.TLS.Roots, err = readAuthorities(authorities); err != nil {
		return o, f, err
	}
	if o.Sources, err = parseSources(sources); err != nil {
		return o, f, err
	}
	o.Addresses, err = resolve(ctx, o.URL, connect)
	return o, f, err
}

// parseFlags accepts flags before and after the URL.
func parseFlags(flags *flag.FlagSet, arguments []string) (target string, err error) {
	for {
		if err := flags.Parse(arguments); errors.Is(err, flag.ErrHelp) {
			return "", err
		} else if err != nil {
			text := strings.NewReplacer(
				"flag -", "flag --", "defined: -", "defined: --", "argument: -", "argument: --",
				"parse error", "use a number, or for a time one with a unit, such as 30s",
			).Replace(err.Error())
			return "", fmt.Errorf("%s; `fairlead-bench load --help` lists the flags and their values", text)
		}
		switch {
		case flags.NArg() == 0 && target == "":
			return "", errors.New("the URL is missing: use one such as https://192.0.2.1/; `fairlead-bench load --help` has examples")
		case flags.NArg() == 0:
			return target, nil
		case target != "":
			return "", fmt.Errorf("unexpected argument %q: use one URL, and quote values with spaces", flags.Arg(0))
		}
		target, arguments = flags.Arg(0), flags.Args()[1:]
	}
}
