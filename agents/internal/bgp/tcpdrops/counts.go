package tcpdrops

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// Counts are since the network namespace was created.
type Counts struct {
	WrongPassword uint64 // TCP MD5: wrong, missing or unexpected
	TooFar        uint64 // TTL below the minimum of GTSM
}

// Read reads the kernel's counters.
func Read() (Counts, error) {
	file, err := os.Open("/proc/thread-self/net/netstat")
	if err != nil {
		return Counts{}, err
	}
	defer file.Close()
	return parse(file)
}

// parse reads pairs of lines: names, then as many values.
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
			return counts, fmt.Errorf("%d names and %d values of TcpExt", len(names), len(values))
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
		return counts, errors.New("the kernel has no counters of dropped TCP packets")
	}
	return counts, nil
}
