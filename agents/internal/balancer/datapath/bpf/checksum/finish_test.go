package checksum

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// synOver returns a frame with a TCP SYN without a checksum, after this IP header.
func synOver(header []byte) (frame []byte, checksumAt int) {
	frame = append(make([]byte, 14), header...)
	checksumAt = len(frame) + 16
	return append(frame, 0xc0, 1, 0, 80, 0, 0, 0, 1, 0, 0, 0, 0, 0x50, 2, 0xff, 0xff, 0, 0, 0, 0, 'a', 'b', 'c'), checksumAt
}

// ipv4 returns a header with this many words of options, for a segment of synOver.
func ipv4(options int) []byte {
	header := make([]byte, 20+4*options)
	header[0], header[8], header[9] = byte(0x45+options), 64, 6
	binary.BigEndian.PutUint16(header[2:], uint16(len(header)+23))
	copy(header[12:], []byte{198, 51, 100, 7, 192, 0, 2, 1})
	return header
}

func ipv6() []byte {
	header := make([]byte, 40)
	header[0], header[5], header[6], header[7], header[23], header[39] = 0x60, 23, 6, 64, 1, 2
	return header
}

func TestAChecksumThatTheSenderLeftToHardwareIsFinished(t *testing.T) {
	for name, header := range map[string][]byte{"IPv4": ipv4(0), "IPv6": ipv6(), "options": ipv4(1)} {
		t.Run(name, func(t *testing.T) {
			want, at := synOver(header)
			pseudo, segment, _ := partsOf(want)
			binary.BigEndian.PutUint16(want[at:], ^Ones(segment, uint32(Ones(pseudo, 0))))
			got := bytes.Clone(want)
			if Finish(got); !bytes.Equal(got, want) {
				t.Errorf("a whole one became %x, was %x", got, want)
			}
			partial := bytes.Clone(want)
			binary.BigEndian.PutUint16(partial[at:], Ones(pseudo, 0))
			Finish(partial)
			if !bytes.Equal(partial, want) {
				t.Errorf("a partial one became %x, want %x", partial, want)
			}
			spoilt := bytes.Clone(want)
			spoilt[at-1] ^= 1
			got = bytes.Clone(spoilt)
			if Finish(got); !bytes.Equal(got, spoilt) {
				t.Error("a spoilt one was made good")
			}
		})
	}
}

func TestAChecksumOfADatagramIsFinishedToo(t *testing.T) {
	header := ipv4(0)
	header[9] = 17
	frame, _ := synOver(header)
	pseudo, datagram, at := partsOf(frame)
	if at != 6 {
		t.Fatalf("the checksum of a datagram is at %d", at)
	}
	binary.BigEndian.PutUint16(datagram[at:], Ones(pseudo, 0))
	if Finish(frame); Ones(datagram, uint32(Ones(pseudo, 0))) != 0xffff {
		t.Errorf("unfinished: %x", datagram)
	}
}

func TestAnotherProtocolStaysAsItIs(t *testing.T) {
	header := ipv4(0)
	header[9] = 1
	frame, _ := synOver(header)
	was := bytes.Clone(frame)
	Finish(frame)
	Write(frame)
	if !bytes.Equal(frame, was) {
		t.Errorf("%x became %x", was, frame)
	}
}

func FuzzFinishChecksum(f *testing.F) {
	for _, header := range [][]byte{ipv4(0), ipv4(1), ipv6(), nil} {
		frame, _ := synOver(header)
		f.Add(frame)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 14 {
			return // the program holds none
		}
		before := bytes.Clone(data[:14])
		if Finish(data); !bytes.Equal(data[:14], before) {
			t.Errorf("the link header became %x", data[:14])
		}
	})
}
