package load

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/netip"
	"net/url"
	"time"
)

// Options describe a run.
type Options struct {
	URL       *url.URL
	Addresses []netip.AddrPort // each connection has one of them, at random
	Sources   []netip.Addr     // the clients' own addresses; the kernel's choice when empty
	Header    http.Header
	Backend   BackendName
	TLS       TLSOptions // for https

	Rate        float64 // requests per second
	Arrivals    Arrivals
	Seed        uint64        // of the arrivals and of the addresses
	Warmup, For time.Duration // requests that are due in the warm-up aren't measured

	Users       int
	Think       time.Duration // minimum time between two requests of a user
	Requests    int           // on each connection
	Connections int           // of a user, before another user takes its place; no limit when 0

	Timeout     time.Duration // of a request, from its connection to the end of its reply
	MaxLateness time.Duration // p99 above which the run is void
	Returns     io.Writer     // a JSON line for each return; none when nil
}

// The limits of rates and times, so that no sum or quotient of them overflows.
const (
	lowestRate     = 0.001
	highestRate    = 1e6
	longestRun     = 30 * 24 * time.Hour
	longestTimeout = time.Hour // the longest time that a histogram has
)

// Check returns an error that names the flag to change.
func (o Options) Check() error {
	switch {
	case o.URL == nil || o.URL.Scheme != "http" && o.URL.Scheme != "https" || o.URL.Hostname() == "":
		return errors.New("the URL must start with http:// or https:// and have a host, such as https://192.0.2.1/")
	case len(o.Addresses) == 0:
		return errors.New("there is no address to connect to: set --connect to one, such as 192.0.2.1:443")
	case !(o.Rate >= lowestRate && o.Rate <= highestRate):
		return fmt.Errorf("--rate is %g: use requests per second, from %g to %.0f", o.Rate, lowestRate, highestRate)
	case o.Arrivals != Poisson && o.Arrivals != Uniform:
		return fmt.Errorf("--arrivals is %q: use %q or %q", o.Arrivals, Poisson, Uniform)
	case o.For <= 0 || o.For > longestRun:
		return fmt.Errorf("--for is %v: use a time above 0 and at most %v, such as 30s", o.For, longestRun)
	case o.Warmup < 0 || o.Warmup > longestRun:
		return fmt.Errorf("--warmup is %v: use a time up to %v, or 0 to measure from the start", o.Warmup, longestRun)
	case o.Users < 1 || o.Users > 1_000_000:
		return fmt.Errorf("--users is %d: use 1 to 1000000", o.Users)
	case o.Think < 0 || o.Think > longestRun:
		return fmt.Errorf("--think is %v: use a time up to %v, or 0 for none", o.Think, longestRun)
	case o.Requests < 1:
		return fmt.Errorf("--requests is %d: use 1 or more requests on each connection", o.Requests)
	case o.Connections < 0:
		return fmt.Errorf("--connections is %d: use 1 or more connections of each user, or 0 for no limit", o.Connections)
	case o.Timeout <= 0 || o.Timeout > longestTimeout:
		return fmt.Errorf("--timeout is %v: use a time above 0 and at most %v, such as 10s", o.Timeout, longestTimeout)
	case o.MaxLateness <= 0:
		return fmt.Errorf("--max-lateness is %v: use a time above 0, such as 1ms", o.MaxLateness)
	}
	if need := math.Ceil(o.Rate * o.Think.Seconds()); float64(o.Users) < need {
		return fmt.Errorf("--users is %d: with --rate %g and --think %v, at least %g users are needed; raise --users, or lower --rate or --think", o.Users, o.Rate, o.Think, need)
	}
	if err := o.checkSources(); err != nil {
		return err
	}
	if err := o.TLS.check(o.URL.Scheme); err != nil {
		return err
	}
	limit, err := fileLimit()
	if err != nil {
		return err
	}
	return checkFiles(o.Users, limit)
}

func (o Options) checkSources() error {
	for _, source := range o.Sources {
		for _, address := range o.Addresses {
			if source.Is4() != address.Addr().Is4() {
				return fmt.Errorf("--source %v can't connect to %v: use addresses of one family, IPv4 or IPv6", source, address)
			}
		}
	}
	return nil
}
