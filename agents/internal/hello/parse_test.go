package hello

import (
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestAHelloIsTheSameInRecordsOfAnySize(t *testing.T) {
	protocols := make([]string, 60)
	for i := range protocols {
		protocols[i] = strings.Repeat(string(rune('a'+i%26)), 200)
	}
	long := strings.Repeat("a", 60)
	for _, test := range []struct {
		name   string
		stream []byte
		want   content // of Go's, without the random session id
	}{
		{"Go", goHello(t, &tls.Config{ServerName: "shop-0.example.com"}), content{Name: "shop-0.example.com"}},
		{"TLS 1.2 at most", goHello(t, &tls.Config{ServerName: "a.example", MaxVersion: tls.VersionTLS12}), content{Name: "a.example"}},
		{"without a post-quantum key share", goHello(t, &tls.Config{ServerName: "a.example", CurvePreferences: []tls.CurveID{tls.X25519}}), content{Name: "a.example"}},
		{"12 KiB of protocols", goHello(t, &tls.Config{ServerName: "a.example", NextProtos: protocols}), content{Name: "a.example", Protocols: protocols}},
		{"an address, which is no name", goHello(t, &tls.Config{ServerName: "192.0.2.1", InsecureSkipVerify: true}), content{}},
		{"no extensions", wrapped("\x01" + vector(3, "\x03\x01"+strings.Repeat("r", randomBytes)+vector(1, "the one")+"\x00\x02\x00\x2f\x01\x00")), content{SessionID: "the one"}},
		{"as it is written", written(named("Shop-0.Example.COM.")), content{Name: "Shop-0.Example.COM.", SessionID: "session"}},
		{"after others", written("\x0a\x0a\x00\x00", extension(16, vector(2, "\x02h2\x08http/1.1")), named(long)),
			content{Name: long, SessionID: "session", Protocols: []string{"h2", "http/1.1"}}},
		{"a ticket", written(extension(ticketExtension, "of TLS 1.2"), named("a.example")), content{Name: "a.example", SessionID: "session", Ticket: "of TLS 1.2"}},
		{"two pre-shared keys", written(named("a.example"), keys([]string{"first", "second"}, []string{"proof", "another"})),
			content{Name: "a.example", SessionID: "session", Identities: []string{"first", "second"}}},
		{"the outer name, of one that is encrypted", written("\xfe\x0d\x00\x05inner", named("outer.example")), content{Name: "outer.example", SessionID: "session"}},
		{"16 KiB", written(padding(recordMost-messageHeader-len(written(named("last.example")))+recordHeader+messageHeader), named("last.example")), content{Name: "last.example", SessionID: "session"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, each := range []int{1, 2, 3, 7, 100, 1400, recordMost} {
				stream := records(test.stream, each)
				if len(stream) > Most {
					if got, err := Parse(stream, Most); !errors.Is(err, ErrTooLarge) {
						t.Fatalf("%d bytes in records of %d: %+v, %v", len(stream), each, got, err)
					}
				}
				more := append(bytes.Clone(stream), "\x14\x03\x03\x00\x01\x01 and early data"...)
				h, err := Parse(more, len(stream))
				got := contentOf(h)
				if test.want.SessionID == "" {
					got.SessionID = ""
				}
				if !reflect.DeepEqual(got, test.want) || err != nil || h.Size != len(stream) {
					t.Fatalf("in records of %d: %+v, %v, %d of %d bytes", each, got, err, h.Size, len(stream))
				}
				for _, cut := range []int{0, 1, 4, 5, 6, 9, len(stream) / 2, len(stream) - 1} {
					h, err := Parse(stream[:cut], len(stream))
					if !errors.Is(err, ErrIncomplete) || h.Size <= cut || h.Size > len(stream) {
						t.Fatalf("in records of %d, after %d bytes of %d: %+v, %v", each, cut, len(stream), h, err)
					}
				}
			}
		})
	}
}

// A reader that waits for the size never looks at a hello more often than this, however it
// is cut. Otherwise a client that sends single bytes costs the square of their number.
func TestTheSizeOfAnIncompleteHelloLeadsToTheEndInFewSteps(t *testing.T) {
	message := written(padding(2600), named("a.example"))
	for _, test := range []struct{ each, most int }{{recordMost, 3}, {1400, 5}, {100, 8}, {1, 50}} {
		stream := records(message, test.each)
		looks, have := 0, 0
		for ; ; looks++ {
			h, err := Parse(stream[:have], len(stream))
			if err == nil {
				break
			}
			if !errors.Is(err, ErrIncomplete) || h.Size <= have || h.Size > len(stream) {
				t.Fatalf("after %d bytes: %d, %v", have, h.Size, err)
			}
			have = h.Size
		}
		if looks > test.most {
			t.Errorf("in records of %d: %d looks", test.each, looks)
		}
	}
}

func TestAHelloOverTheLimitIsRejectedBeforeItArrives(t *testing.T) {
	stream := goHello(t, &tls.Config{ServerName: "a.example"})
	for name, begun := range map[string][]byte{
		"its length":            stream[:recordHeader+messageHeader],
		"its record":            stream[:recordHeader],
		"more than any":         {22, 3, 1, 0, 10, 1, 1, 0, 0},
		"the headers of others": records(stream, 1)[:6*messageHeader],
	} {
		if _, err := Parse(begun, len(stream)-1); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Parse(stream, len(stream)); err != nil {
		t.Errorf("one of exactly the limit: %v", err)
	}
}

func TestAnInvalidHelloIsRejectedAtOnce(t *testing.T) {
	good := written(named("a.example"))
	const session = recordHeader + messageHeader + 2 + randomBytes
	change := func(at int, to byte) []byte {
		changed := bytes.Clone(good)
		changed[at] = to
		return changed
	}
	proofs := []string{"proof"}
	for name, stream := range map[string][]byte{
		"HTTP":                        []byte("G"),
		"SMTP":                        []byte("EHLO a.example\r\n"),
		"SSL 2":                       {0x80, 0x2e, 1, 3, 1},
		"an alert":                    {21, 3, 1, 0, 2, 2, 40},
		"another version":             change(1, 2),
		"an empty record":             {22, 3, 1, 0, 0},
		"a record too long":           {22, 3, 1, 0x40, 1},
		"a server's hello":            change(5, 2),
		"an empty hello":              {22, 3, 1, 0, 4, 1, 0, 0, 0},
		"more than itself":            append(change(4, good[4]+1), 0),
		"more than itself, not there": {22, 3, 1, 0x30, 0x30, 1, 0, 0, 1, 0},
		"another record within":       append(records(good, 30)[:recordHeader+30], 23, 3, 3, 0, 9),
		"a session too long":          change(session, 33),
		"half a suite":                change(session+1+len("session")+1, 1),
		"extensions too long":         change(session+1+len("session")+4+2+1, 200),
		"two names":                   written(named("a.example"), named("b.example")),
		"two in one list":             written(extension(0, vector(2, "\x00"+vector(2, "a")+"\x00"+vector(2, "b")))),
		"a name of length 0":          written(named("")),
		"a name with a NUL":           written(named("a.example\x00.evil.example")),
		"a list that is cut":          written(extension(0, "\x00\x09\x00\x00\x09a")),
		"another kind of name":        written(extension(0, vector(2, "\x01"+vector(2, "a")))),
		"half an extension":           written(named("a.example"), "\x00\x10\x00"),
		"a byte too many":             written(named("a.example"), "\x00"),
		"no protocols":                written(extension(16, vector(2, ""))),
		"a protocol of length 0":      written(extension(16, vector(2, "\x02h2\x00"))),
		"a protocol that is cut":      written(extension(16, vector(2, "\x02h2\x09http"))),
		"two lists of protocols":      written(extension(16, vector(2, "\x02h2")), extension(16, vector(2, "\x02h2"))),
		"two tickets":                 written(extension(ticketExtension, ""), extension(ticketExtension, "x")),
		"a key before the last":       written(keys(proofs, proofs), named("a.example")),
		"no key":                      written(keys(nil, nil)),
		"a key of length 0":           written(keys([]string{""}, proofs)),
		"a key without its age":       written(extension(preSharedKeyExtension, vector(2, vector(2, "key")+"\x00\x00")+vector(2, "\x01p"))),
		"a key without proof":         written(keys([]string{"key", "other"}, proofs)),
		"a proof too many":            written(keys([]string{"key"}, []string{"proof", "other"})),
		"a proof of length 0":         written(keys([]string{"key"}, []string{""})),
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := Parse(stream, Most); !errors.Is(err, ErrInvalid) || !reflect.DeepEqual(got, Hello{}) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
	if got, err := Parse(good, Most); string(got.ServerName) != "a.example" || err != nil {
		t.Fatalf("what was changed is %+v, %v", got, err)
	}
}

func TestAWholeRecordAllocatesNothingAndSeveralOneCopy(t *testing.T) {
	stream := goHello(t, &tls.Config{ServerName: "a.example", NextProtos: []string{"h2", "http/1.1"}})
	for each, want := range map[int]float64{recordMost: 0, 100: 1} {
		cut := records(stream, each)
		if got := testing.AllocsPerRun(100, func() {
			h, err := Parse(cut, Most)
			for protocol := range h.Protocols() {
				_ = protocol
			}
			if err != nil {
				t.Error(err)
			}
		}); got != want {
			t.Errorf("in records of %d: %v allocations", each, got)
		}
		if got := testing.AllocsPerRun(100, func() { _, _ = Parse(cut[:len(cut)-1], Most) }); got != 0 {
			t.Errorf("in records of %d: %v allocations of an incomplete hello", each, got)
		}
	}
	if binary.BigEndian.Uint16(stream[3:]) != uint16(len(stream)-recordHeader) {
		t.Fatal("Go's hello comes in several records")
	}
}

func BenchmarkParse(b *testing.B) {
	go13 := goHello(b, &tls.Config{ServerName: "shop-0.example.com", NextProtos: []string{"h2", "http/1.1"}})
	resumed := resumedHello(b, tls.VersionTLS13)
	for _, test := range []struct {
		name   string
		stream []byte
	}{
		{"Go", go13},
		{"Go, TLS 1.2 ticket", resumedHello(b, tls.VersionTLS12)},
		{"Go, pre-shared key", resumed},
		{"in records of 100 bytes", records(resumed, 100)},
		{"in records of 1 byte", records(resumed, 1)},
		{"half of it", resumed[:len(resumed)/2]},
		{"16 KiB of extensions", written(strings.Repeat("\x0a\x0a\x00\x00", 4000), named("a.example"))},
	} {
		b.Run(test.name, func(b *testing.B) {
			b.SetBytes(int64(len(test.stream)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(test.stream, Most); err != nil && !errors.Is(err, ErrIncomplete) {
					b.Fatal(err)
				}
			}
		})
	}
}

// Go's client lists its versions also if it offers TLS 1.2 alone.
func TestAListOfVersionsIsSearchedForTLS13(t *testing.T) {
	versions := func(list string) []byte { return written("\x00\x2b" + vector(2, list)) }
	for name, test := range map[string]struct {
		stream []byte
		want   bool
	}{
		"Go":                   {goHello(t, &tls.Config{ServerName: "a.example"}), true},
		"Go, TLS 1.2 alone":    {goHello(t, &tls.Config{ServerName: "a.example", MaxVersion: tls.VersionTLS12}), false},
		"after others":         {versions("\x06\x1a\x1a\x03\x03\x03\x04"), true},
		"across two others":    {versions("\x04\x1a\x03\x04\x03"), false},
		"none":                 {written(), false},
		"an empty list":        {versions("\x00"), false},
		"half of a version":    {versions("\x03\x03\x03\x03"), false},
		"longer than its list": {versions("\x02\x03\x04\x00"), false},
		"no list":              {versions(""), false},
	} {
		if got, err := Parse(test.stream, 64<<10); err != nil || got.OffersTLS13 != test.want {
			t.Errorf("%s: %t, %v", name, got.OffersTLS13, err)
		}
	}
}
