package clients

import (
	"net/netip"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// pollEvery is often enough that the kernel's buffer has room for the packets in between, and
// rare enough that an idle host sleeps.
const pollEvery = 20 * time.Millisecond

// interval is the time with one sampling rate.
type interval struct {
	began    time.Time
	oneIn    uint32
	selected int // by the kernel
	read     int // of them
	sent     map[source]traffic
}

type source struct {
	service datapath.Key
	network netip.Prefix
}

// sampleInterval samples for a second, or shorter if there is too much traffic for this rate. All
// packets that were selected are read when it returns.
func sampleInterval(tap Tap, oneIn uint32, services func() *directory, polls <-chan time.Time, stop <-chan struct{}) (*interval, error) {
	i := &interval{began: time.Now(), oneIn: oneIn, sent: map[source]traffic{}}
	if err := tap.Accept(oneIn, services().addresses); err != nil {
		return nil, err
	}
	for i.selected < readMost && time.Since(i.began) < intervalSpan {
		select {
		case <-stop:
			return i, tap.Pause()
		case <-polls:
		}
		if err := i.readFrom(tap, services(), readMost); err != nil {
			return nil, err
		}
	}
	if err := tap.Pause(); err != nil {
		return nil, err
	}
	const all = 1 << 30 // the kernel's buffer is smaller, and nothing is added to it
	return i, i.readFrom(tap, services(), all)
}

// readFrom reads the packets that wait, while fewer than most have been read.
func (i *interval) readFrom(tap Tap, services *directory, most int) error {
	for i.read < most {
		packet, waits, err := tap.Read()
		if err != nil {
			return err
		}
		if !waits {
			break
		}
		i.read++
		i.count(packet, services)
	}
	selected, err := tap.Selected()
	i.selected += selected
	return err
}

func (i *interval) count(packet Packet, services *directory) {
	h, is := parse(packet.Data)
	if !is {
		return
	}
	key, sampled := services.serviceOf(h)
	if !sampled {
		return
	}
	from := source{key, networkOf(h.client)}
	i.sent[from] = i.sent[from].plus(traffic{float64(packet.Length), packet.segments(h)})
}

// weight is how many packets each packet that was read stands for.
func (i *interval) weight() float64 {
	if i.read == 0 {
		return 0
	}
	return float64(i.oneIn) * float64(max(i.selected, i.read)) / float64(i.read)
}
