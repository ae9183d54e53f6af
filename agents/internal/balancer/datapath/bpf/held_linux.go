package bpf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/ringbuf"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// heldMost is the maximum age of a held first packet that is still sent. Its client
// retries after a second, maybe by way of another replica, and must not be answered
// twice.
const heldMost = 500 * time.Millisecond

// Hold holds first packets from now on, for span unless it is called again.
func (e *Engine) Hold(span time.Duration) error {
	if span > 0 && e.network.rawError != nil {
		return e.network.rawError
	}
	var until uint64
	if span > 0 {
		until = monotonic() + uint64(span)
	}
	if err := e.maps[TcxMapWaitUntil].Put(uint32(0), until); err != nil {
		return fmt.Errorf("hold first packets: %w", err)
	}
	return nil
}

// Held delivers held first packets.
func (e *Engine) Held() <-chan datapath.Held { return e.held }

func (e *Engine) followHeld() {
	defer close(e.held)
	var record ringbuf.Record
	for {
		err := e.holds.ReadInto(&record)
		if errors.Is(err, os.ErrClosed) {
			return
		}
		if err != nil {
			e.rest()
			continue
		}
		packet := new(heldPacket)
		if !decode(record.RawSample, packet) || isLate(packet) || packet.Length > uint16(len(packet.Frame)) {
			continue
		}
		b := e.names.Load().keeper(flowEntry{Slot: packet.Slot, Incarnation: packet.Incarnation})
		if b == nil {
			continue
		}
		select {
		case e.held <- datapath.Held{Flow: b.flow(packet.Key), Release: func() error { return e.release(packet) }}:
		case <-e.done:
			return
		}
	}
}

// release sends a first packet, or queues it for its backend's link address. It always
// records in the connection's entry that the flow was announced, even if it is too late
// to send the packet: the client retries, and whichever replica gets the retry uses the
// announced backend, unless a peer announced another one since.
func (e *Engine) release(packet *heldPacket) error {
	late := isLate(packet)
	if late {
		learnt, found, err := e.find(TcxMapLearnt, packet.Key)
		if err != nil || found && ageOf(uint32(packet.At>>TcxLimitsSEEN_SHIFT), learnt.Seen) > 0 {
			return err
		}
	}
	open := flowEntry{Incarnation: packet.Incarnation, Seen: seenNow(), Slot: packet.Slot, Flags: uint8(TcxFlowFlagsMOVES)}
	if err := e.maps[TcxMapHalfOpen].Update(packet.Key, open, ebpf.UpdateAny); err != nil {
		return fmt.Errorf("store a half-open connection: %w", err)
	}
	if late {
		return nil
	}
	finishChecksum(packet.Frame[:packet.Length])
	unresolved, err := e.passOn(packet)
	if err != nil || unresolved == (hop{}) {
		return err
	}
	return e.passOnLater(packet, unresolved)
}

func isLate(packet *heldPacket) bool { return monotonic()-packet.At > uint64(heldMost) }

// passOn runs the program again on a first packet, which no longer needs to be held. If
// the link address is unknown, the program would leave that to the kernel, which doesn't
// resolve it in a test run: passOn returns that hop.
func (e *Engine) passOn(packet *heldPacket) (unresolved hop, err error) {
	var backend backendEntry
	if err := e.maps[TcxMapBackends].Lookup(uint32(packet.Slot), &backend); err != nil {
		return hop{}, fmt.Errorf("read the backend of a first packet: %w", err)
	}
	if backend.Incarnation != packet.Incarnation {
		return hop{}, nil // the backend is gone
	}
	if backend.Flags&resolved == 0 {
		return hopOf(backend), nil
	}
	verdict, out, err := e.program.Test(packet.Frame[:packet.Length])
	if err != nil {
		return hop{}, fmt.Errorf("pass a first packet on: %w", err)
	}
	if verdict != e.hook.Sent || !bytes.HasPrefix(out, backend.To[:]) {
		return hop{}, nil // its backend or the link address has just changed
	}
	return hop{}, e.network.send(int(backend.Interface), out)
}

// finishChecksum completes a checksum that the sender left to hardware which this packet
// never reached: it contains only the sum of the pseudo header.
func finishChecksum(frame []byte) {
	const checksumAt = 16
	pseudo, segment := segmentOf(frame)
	if len(segment) < checksumAt+2 {
		return
	}
	sum := onesSum(pseudo, 0)
	at := segment[checksumAt : checksumAt+2]
	if binary.BigEndian.Uint16(at) != sum {
		return
	}
	at[0], at[1] = 0, 0
	binary.BigEndian.PutUint16(at, ^onesSum(segment, uint32(sum)))
}

// segmentOf returns the TCP segment of a frame that the program has parsed, and the
// pseudo header for its checksum.
func segmentOf(frame []byte) (pseudo, segment []byte) {
	packet := frame[14:]
	if len(packet) >= 20 && packet[0]>>4 == 4 {
		size, total := int(packet[0]&15)*4, int(binary.BigEndian.Uint16(packet[2:]))
		if size < 20 || total < size || total > len(packet) {
			return nil, nil
		}
		segment, pseudo = packet[size:total], append(pseudo, packet[12:20]...)
	} else if len(packet) >= 40 {
		total := 40 + int(binary.BigEndian.Uint16(packet[4:]))
		if packet[6] != unix.IPPROTO_TCP || total > len(packet) {
			return nil, nil
		}
		segment, pseudo = packet[40:total], append(pseudo, packet[8:40]...)
	}
	pseudo = binary.BigEndian.AppendUint32(pseudo, uint32(len(segment)))
	return append(pseudo, 0, 0, 0, unix.IPPROTO_TCP), segment
}

// monotonic is the programs' clock.
func monotonic() uint64 {
	var now unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) // can't fail with these arguments
	return uint64(now.Nano())
}
