package bench

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"fairlead.dev/agents/internal/bench/latency"
)

// secured is the TLS config of clients: it accepts any server, and each handshake is full, because sessions
// aren't cached. Its hello fits in one packet: a post-quantum key share would need two, and CPU time to make, though
// the servers don't accept it.
var secured = &tls.Config{InsecureSkipVerify: true, ServerName: "bench", CurvePreferences: []tls.CurveID{tls.X25519}}

// garbage is how much garbage a client makes, in percent of its memory, before it collects it. A client has little memory, so
// it would collect a hundred times a second.
const garbage = 1000

// dialer sends no keep-alive messages: no connection is idle.
var dialer = &net.Dialer{KeepAlive: -1}

// tlsVersions are the choices of LoadOptions.
var tlsVersions = map[string]uint16{"1.2": tls.VersionTLS12, "1.3": tls.VersionTLS13}

// generateTLS is Generate with TLS. Its connections are goroutines, as crypto/tls requires.
func generateTLS(options LoadOptions) (Load, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(1, options.Processors)))
	defer debug.SetGCPercent(debug.SetGCPercent(garbage))
	began := time.Now()
	from := began.Add(options.Warmup)
	c := &tlsClient{
		LoadOptions: options, request: requestOf(options.Workload), config: configOf(options), from: from, to: from.Add(options.For),
		latency: latency.NewHistogram(),
	}
	if options.Path != "" {
		c.request = request(options.Path, true)
	}
	ctx, stop := context.WithDeadline(context.Background(), c.to)
	defer stop()
	c.giveUp = stop
	var running sync.WaitGroup
	for i := range options.Connections {
		running.Go(func() { c.keepBusy(ctx, options.Targets[i%len(options.Targets)].String()) })
	}
	select {
	case <-time.After(time.Until(c.from)):
	case <-ctx.Done():
	}
	cpu := cpuSeconds()
	running.Wait()
	c.load.CPUSeconds = cpuSeconds() - cpu
	c.load.Seconds = time.Since(c.from).Seconds()
	c.load.P50 = float64(c.latency.Quantile(0.5)) / 1e3
	c.load.P99 = float64(c.latency.Quantile(0.99)) / 1e3
	c.load.Max = float64(c.latency.Max()) / 1e3
	if c.load.Failed > tooMany {
		return c.load, errors.New("too many failures, the first: " + c.load.Because)
	}
	return c.load, nil
}

func configOf(options LoadOptions) *tls.Config {
	config := secured.Clone()
	config.MaxVersion = tlsVersions[options.TLSVersion]
	if options.PostQuantum {
		config.CurvePreferences = nil
	}
	return config
}

type tlsClient struct {
	LoadOptions
	request  []byte
	config   *tls.Config // without a session
	from, to time.Time   // earlier requests aren't measured, and later errors aren't failures

	giveUp func()

	lock    sync.Mutex
	latency *latency.Histogram
	load    Load
}

// keepBusy keeps one connection busy until the time is over.
func (c *tlsClient) keepBusy(ctx context.Context, target string) {
	buffer := make([]byte, 64<<10)
	for u := c.newUser(target); ctx.Err() == nil && time.Now().Before(c.to); {
		if err := c.converse(ctx, u, buffer); err != nil && time.Now().Before(c.to) {
			c.fail(err)
		}
		if c.Workload == Return && c.Path == "" && u.replies >= mostConnections {
			u = c.newUser(target)
		}
	}
}

// converse sends requests on one connection, or one request if each has its own connection.
func (c *tlsClient) converse(ctx context.Context, u *tlsUser, buffer []byte) error {
	startedAt := time.Now()
	plain, err := dialer.DialContext(ctx, "tcp", u.target)
	if err != nil {
		return err
	}
	conn, err := speakTLS(ctx, plain, u.config)
	if err != nil {
		return err
	}
	defer conn.Close()
	for a := (requester{}); ; startedAt = time.Now() {
		if _, err := conn.Write(u.request); err != nil {
			return err
		}
		for whole := false; !whole; {
			n, ended := conn.Read(buffer) // EOF may come with the last data
			if whole, err = a.take(buffer[:n]); err != nil {
				return err
			}
			if ended != nil && !whole {
				return ended
			}
			u.read(buffer[:n])
		}
		c.count(startedAt, u, conn)
		if c.Workload != Small && c.Workload != Bulk {
			return nil
		}
	}
}

// speakTLS does the handshake; the connection is closed with the context.
func speakTLS(ctx context.Context, conn net.Conn, config *tls.Config) (*tls.Conn, error) {
	if until, is := ctx.Deadline(); is {
		_ = conn.SetDeadline(until)
	}
	over := tls.Client(conn, config)
	if err := over.HandshakeContext(ctx); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return over, nil
}

func (c *tlsClient) count(startedAt time.Time, u *tlsUser, conn *tls.Conn) {
	before, isReturn := u.before, c.Workload == Return && u.replies > 0
	u.before = u.backend
	u.replies++
	now := time.Now()
	c.lock.Lock()
	defer c.lock.Unlock()
	if !now.After(c.from) {
		return
	}
	c.load.Requests++
	c.latency.Add(now.Sub(startedAt))
	if !isReturn {
		return
	}
	c.load.Returns++
	if u.lost {
		c.load.LostData++
	}
	if conn.ConnectionState().DidResume {
		c.load.Resumed++
		if u.backend != "" && u.backend == before {
			c.load.SameBackend++
		}
	}
}

// fail counts a failure, during the warm-up too; the next connection retries.
func (c *tlsClient) fail(err error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.load.Failed++; c.load.Because == "" {
		c.load.Because = err.Error()
	}
	if c.load.Failed > tooMany {
		c.giveUp()
	}
}
