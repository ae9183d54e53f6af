package flows

import (
	"bytes"
	"errors"
	"io"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func flow(client, service, backend string, protocol datapath.Protocol) datapath.Flow {
	to := netip.MustParseAddrPort(service)
	return datapath.Flow{
		Service: datapath.Key{Address: to.Addr(), Port: to.Port(), Protocol: protocol},
		Client:  netip.MustParseAddrPort(client), Backend: backend,
	}
}

var samples = []datapath.Flow{
	flow("198.51.100.7:40000", "192.0.2.1:80", "a", datapath.TCP),
	flow("[2001:db8::7]:65535", "[2001:db8::1]:53", "bk_01h", datapath.UDP),
	flow("198.51.100.7:1", "192.0.2.1:443", strings.Repeat("x", idMostBytes), datapath.TCP),
	flow("198.51.100.7:1", "192.0.2.1:443", "", datapath.TCP),
}

func TestFlowsComeBackWhole(t *testing.T) {
	var content []byte
	for _, one := range samples {
		content = appendFlow(content, one)
	}
	got, err := parseFlows(content)
	if err != nil || !slices.Equal(got, samples) {
		t.Fatalf("got %v, %v", got, err)
	}
}

func TestAFlowThatCannotBeToldIsLeftOut(t *testing.T) {
	for _, bad := range []datapath.Flow{
		flow("198.51.100.7:1", "192.0.2.1:443", strings.Repeat("x", idMostBytes+1), datapath.TCP),
		{Service: samples[0].Service, Backend: "a"},
		{Client: samples[0].Client, Backend: "a"},
	} {
		if got := appendFlow([]byte("x"), bad); string(got) != "x" {
			t.Errorf("%v was written", bad)
		}
	}
}

func TestEveryCutOffFlowIsNoticed(t *testing.T) {
	whole := appendFlow(appendFlow(nil, samples[0]), samples[1])
	first := len(appendFlow(nil, samples[0]))
	for length := 1; length < len(whole); length++ {
		if _, err := parseFlows(whole[:length]); length != first && !errors.Is(err, errFrame) {
			t.Errorf("%d of %d bytes: %v", length, len(whole), err)
		}
	}
}

func TestAFrameLongerThanAllowedIsRefusedBeforeItIsRead(t *testing.T) {
	for _, frame := range []string{"\x00\x01\x00\x01\x02", "\xff\xff\xff\xff\x02", "\x00\x00\x00\x00"} {
		_, _, err := readFrame(strings.NewReader(frame), make([]byte, frameMostBytes))
		if !errors.Is(err, errFrame) {
			t.Errorf("%q: %v", frame, err)
		}
	}
}

func TestAFullFrameIsNotTooLong(t *testing.T) {
	if frameFillBytes+2*flowMostBytes < frameMostBytes-1 {
		t.Error("frames are sent half empty")
	}
	content := make([]byte, frameFillBytes-1)
	content = append(content, make([]byte, flowMostBytes)...)
	k, got, err := readFrame(bytes.NewReader(appendFrame(nil, kindFlows, content)), make([]byte, frameMostBytes))
	if err != nil || k != kindFlows || !bytes.Equal(got, content) {
		t.Fatalf("kind %d, %d bytes, %v", k, len(got), err)
	}
}

func FuzzFrames(f *testing.F) {
	var content []byte
	for _, one := range samples {
		content = appendFlow(content, one)
	}
	f.Add(appendFrame(appendFrame(nil, kindHello, []byte(magic)), kindFlows, content))
	f.Fuzz(func(t *testing.T, data []byte) {
		reader, buffer := bytes.NewReader(data), make([]byte, 1024)
		for {
			_, content, err := readFrame(reader, buffer)
			if err != nil {
				if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, errFrame) {
					t.Fatal(err)
				}
				return
			}
			flows, err := parseFlows(content)
			if err != nil {
				continue
			}
			var again []byte
			for _, one := range flows {
				again = appendFlow(again, one)
			}
			if !bytes.Equal(again, content) {
				t.Fatalf("%v came from %x and is written %x", flows, content, again)
			}
		}
	})
}
