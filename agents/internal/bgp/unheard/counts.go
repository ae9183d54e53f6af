package unheard

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// Counts are since this network namespace began.
type Counts struct {
	WrongPassword uint64 // of TCP MD5: wrong, missing, or there without being asked for
	TooFar        uint64 // their TTL had been lowered below what GTSM takes
}

// Read asks the kernel.
func Read() (Counts, error) {
	file, err := os.Open("/proc/thread-self/net/netstat")
	if err != nil {
		return Counts{}, err
	}
	defer file.Close()
	return parse(file)
}

// parse reads pairs of lines: names, and as many numbers.
func parse(from io.Reader) (counts Counts, err error) {
	lines, found := bufio.NewScanner(from), false
	for lines.Scan() {
		names := strings.Fields(lines.Text())
		if !lines.Scan() {
			break
		}
		values := strings.Fields(lines.Text())
		if len(names) == 0 || names[0] != "TcpExt:" {
			continue
		}
		if len(names) != len(values) {
			return counts, fmt.Errorf("%d names and %d numbers of TCP", len(names), len(values))
		}
		found = true
		for i := 1; i < len(names); i++ {
			value, err := strconv.ParseUint(values[i], 10, 64)
			if err != nil {
				continue // some are negative
			}
			switch names[i] {
			case "TCPMD5NotFound", "TCPMD5Unexpected", "TCPMD5Failure":
				counts.WrongPassword += value
			case "TCPMinTTLDrop":
				counts.TooFar += value
			}
		}
	}
	if err := lines.Err(); err != nil {
		return counts, err
	}
	if !found {
		return counts, errors.New("the kernel doesn't count what it drops of TCP")
	}
	return counts, nil
}
