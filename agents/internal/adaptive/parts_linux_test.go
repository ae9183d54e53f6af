package adaptive

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"google.golang.org/protobuf/encoding/protojson"

	"fairlead.dev/agents/internal/adaptive/cpulimit"
	"fairlead.dev/agents/internal/adaptive/pressure"
	"fairlead.dev/agents/internal/cputime"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// The test's program is also the processes of the lab.
const (
	partVariable     = "FAIRLEAD_TEST_PART"
	argumentVariable = "FAIRLEAD_TEST_ARGUMENT"

	serverPart = "server"
	agentPart  = "agent"
	clientPart = "client"
	holderPart = "holder"
	peersPart  = "peers"
	burnerPart = "burner"
)

// server has one core, on which a request takes a while. Each answer is the node.
type server struct {
	Node string
	At   netip.AddrPort
	More uint16 // of the next ports too
	UDP  bool
}

const requestTime = 20 * time.Millisecond

type labAgent struct {
	Cgroup, Pins string
	At           netip.AddrPort
	Config       []byte
}

type client struct {
	Network string // of the service; TCP if empty
	Service netip.AddrPort
	More    uint16 // of the next ports too, in turn
	AtOnce  int
	Pause   time.Duration // after each request
	For     time.Duration
}

// visits are requests by the node that served them.
type visits struct {
	Served map[string]int
	Failed int
	Error  string // of the last failed one
}

// share is that of a node, 0 … 1.
func (v visits) share(node string) float64 {
	total := 0
	for _, count := range v.Served {
		total += count
	}
	return float64(v.Served[node]) / float64(max(total, 1))
}

func play(part, argument string) {
	err := map[string]func(string) error{
		serverPart: serve, agentPart: distribute, clientPart: request, holderPart: hold, peersPart: exchange, burnerPart: burn,
	}[part](argument)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

func serve(argument string) error {
	var as server
	if err := json.Unmarshal([]byte(argument), &as); err != nil {
		return err
	}
	core, ended := make(chan struct{}, 1), make(chan error)
	if as.UDP {
		return as.serveDatagrams(core)
	}
	for port := as.At.Port(); port <= as.At.Port()+as.More; port++ {
		listener, err := net.Listen("tcp", netip.AddrPortFrom(as.At.Addr(), port).String())
		if err != nil {
			return err
		}
		go func() { ended <- as.serveAt(listener, core) }()
	}
	fmt.Println("ready")
	return <-ended
}

func (s server) serveAt(listener net.Listener, core chan struct{}) error {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer conn.Close()
			if _, err := conn.Read(make([]byte, 1)); err != nil {
				return // a check
			}
			core <- struct{}{}
			time.Sleep(requestTime)
			<-core
			_, _ = io.WriteString(conn, s.Node)
		}()
	}
}

func (a labAgent) newDriver() *Driver {
	return NewDriver(Options{
		Cgroup: a.Cgroup, PinFolder: a.Pins, Log: slog.New(slog.NewTextHandler(os.Stderr, nil)),
		Pressure: pressure.Files{Cgroup: a.Cgroup, Host: "/proc/pressure"},
		CPU:      cpulimit.Cgroup{CPU: a.Cgroup, CPUSet: a.Cgroup, Online: "/sys/devices/system/cpu/online"},
		Listen:   func(context.Context) (netip.AddrPort, error) { return a.At, nil },
	})
}

// What the agent answers a line with.
const (
	statusRequest = "status" // in JSON
	eventsRequest = "events" // the reasons of all since its start
	usedRequest   = "used"   // its CPU time in ns
)

// distribute runs the driver until it is killed.
func distribute(argument string) error {
	var as labAgent
	if err := json.Unmarshal([]byte(argument), &as); err != nil {
		return err
	}
	config := &agentv1.NodeConfig{}
	if err := protojson.Unmarshal(as.Config, config); err != nil {
		return err
	}
	desired, err := ParseDesired(config)
	if err != nil {
		return err
	}
	driver := as.newDriver()
	if _, err := driver.Set(context.Background(), desired); err != nil {
		return err
	}
	fmt.Println("ready")
	answer := answers{driver: driver}
	for requests := bufio.NewScanner(os.Stdin); requests.Scan(); {
		line, err := answer.to(requests.Text())
		if err != nil {
			return err
		}
		fmt.Println(line)
	}
	return errors.New("the lab is gone")
}

type answers struct {
	driver  *Driver
	reasons []string
}

func (a *answers) to(request string) (line string, err error) {
	if request == usedRequest {
		return fmt.Sprint(int64(cputime.Used())), nil
	}
	observed, err := a.driver.Observe(context.Background())
	if err != nil {
		return "", err
	}
	for _, one := range observed.Events {
		a.reasons = append(a.reasons, one.GetReason())
	}
	if request == eventsRequest {
		return strings.Join(a.reasons, " "), nil
	}
	status, err := protojson.Marshal(observed.Status)
	return string(status), err
}

func request(argument string) error {
	var as client
	if err := json.Unmarshal([]byte(argument), &as); err != nil {
		return err
	}
	var mutex sync.Mutex
	got := visits{Served: map[string]int{}}
	var wait sync.WaitGroup
	for range as.AtOnce {
		wait.Go(func() {
			turn := uint16(0)
			for end := time.Now().Add(as.For); time.Now().Before(end); turn = (turn + 1) % (as.More + 1) {
				node, err := visitOnce(as.Network, netip.AddrPortFrom(as.Service.Addr(), as.Service.Port()+turn))
				mutex.Lock()
				if err != nil {
					got.Failed, got.Error = got.Failed+1, err.Error()
				} else {
					got.Served[node]++
				}
				mutex.Unlock()
				time.Sleep(as.Pause)
			}
		})
	}
	wait.Wait()
	return json.NewEncoder(os.Stdout).Encode(got)
}

// hold prints how a connection without requests ended, or that it lasted.
func hold(argument string) error {
	var service netip.AddrPort
	if err := json.Unmarshal([]byte(argument), &service); err != nil {
		return err
	}
	conn, err := net.Dial("tcp", service.String())
	if err != nil {
		return err
	}
	fmt.Println("ready")
	requests := bufio.NewScanner(os.Stdin)
	requests.Scan()
	if err := conn.SetReadDeadline(time.Now().Add(2 * time.Second)); err != nil {
		return err
	}
	_, err = conn.Read(make([]byte, 1))
	return err
}

// burn keeps cores busy until it is killed.
func burn(argument string) error {
	var cores int
	if err := json.Unmarshal([]byte(argument), &cores); err != nil {
		return err
	}
	runtime.GOMAXPROCS(cores) // otherwise its goroutines would wait for threads, and none of these for a processor
	for range cores {
		go func() {
			for {
			}
		}()
	}
	fmt.Println("ready")
	select {}
}
