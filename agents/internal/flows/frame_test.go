package flows

import (
	"bytes"
	"errors"
	"io"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

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

func TestFlowsSurviveEncoding(t *testing.T) {
	var content []byte
	for _, one := range samples {
		content = appendFlow(content, one)
	}
	got, err := parseFlows(content)
	if err != nil || !slices.Equal(got, samples) {
		t.Fatalf("got %v, %v", got, err)
	}
}

func TestAFlowThatCannotBeEncodedIsLeftOut(t *testing.T) {
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

func TestEveryTruncatedFlowIsRejected(t *testing.T) {
	whole := appendFlow(appendFlow(nil, samples[0]), samples[1])
	first := len(appendFlow(nil, samples[0]))
	for length := 1; length < len(whole); length++ {
		if _, err := parseFlows(whole[:length]); length != first && !errors.Is(err, errFrame) {
			t.Errorf("%d of %d bytes: %v", length, len(whole), err)
		}
	}
}

func TestAFrameLongerThanAllowedIsRejectedBeforeItIsRead(t *testing.T) {
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

func TestAgesBelongToTheFlowsOfTheNextFrame(t *testing.T) {
	ages := []time.Duration{0, time.Second, 49 * 24 * time.Hour, time.Millisecond}
	var sent batch
	for i, one := range samples {
		one.Age = ages[i]
		sent.add(one)
		sent.add(datapath.Flow{Age: time.Hour}) // can't be encoded
	}
	parsed, err := parseAges(sent.ages)
	if err != nil || !slices.Equal(parsed, ages) || !sent.aged {
		t.Fatalf("ages %v, %v", parsed, err)
	}
	for _, wrong := range [][]time.Duration{parsed[1:], append(parsed, 0)} {
		if err := withAges(slices.Clone(samples), wrong); !errors.Is(err, errFrame) {
			t.Errorf("%d ages for %d flows: %v", len(wrong), len(samples), err)
		}
	}
	if _, err := parseAges(sent.ages[1:]); !errors.Is(err, errFrame) {
		t.Errorf("cut off: %v", err)
	}
	var longest batch
	longest.add(datapath.Flow{Service: samples[0].Service, Client: samples[0].Client, Age: 1 << 62})
	if got, _ := parseAges(longest.ages); got[0] < 49*24*time.Hour {
		t.Errorf("an age above the frame's maximum became %v", got[0])
	}
}

func isWrittenAgain[T any](t *testing.T, content []byte, parsed []T, write func([]byte, T) []byte) {
	t.Helper()
	var again []byte
	for _, one := range parsed {
		again = write(again, one)
	}
	if !bytes.Equal(again, content) {
		t.Fatalf("%v was parsed from %x and encoded as %x", parsed, content, again)
	}
}

func FuzzAges(f *testing.F) {
	f.Add(appendAge(appendAge(nil, time.Second), time.Hour), 2)
	f.Fuzz(func(t *testing.T, content []byte, count int) {
		ages, err := parseAges(content)
		if err != nil {
			if !errors.Is(err, errFrame) {
				t.Fatal(err)
			}
			return
		}
		isWrittenAgain(t, content, ages, appendAge)
		flows := make([]datapath.Flow, min(max(count, 0), 1<<16))
		if err := withAges(flows, ages); (err == nil) != (len(ages) == 0 || len(ages) == len(flows)) {
			t.Fatalf("%d ages for %d flows: %v", len(ages), len(flows), err)
		}
	})
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
			isWrittenAgain(t, content, flows, appendFlow)
		}
	})
}

func FuzzNumber(f *testing.F) {
	f.Add(appendNumber(nil, 1<<40))
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, content []byte) {
		number, err := parseNumber(content)
		if (err == nil) != (len(content) == numberBytes) || err != nil && !errors.Is(err, errFrame) {
			t.Fatalf("%x: %v", content, err)
		}
		if err == nil && !bytes.Equal(appendNumber(nil, number), content) {
			t.Fatalf("%x is %d and is encoded differently", content, number)
		}
	})
}
