package load

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestNamesOfBackendsAreBoundedAndPrintable(t *testing.T) {
	for name, want := range map[string]string{
		"web-1":                   "web-1",
		`a "b"`:                   `a "b"`,
		"\x1b[2Jx":                `\x1b[2Jx`,
		"\xff":                    `\xff`,
		strings.Repeat("n", 1000): strings.Repeat("n", longestName),
	} {
		if got := printable(name); got != want {
			t.Errorf("%q is shown as %q, want %q", name, got, want)
		}
	}
}

func TestFurtherBackendsAreCountedAsOthers(t *testing.T) {
	r := newRecord(0, time.Second, nil)
	for i := range mostBackends + 10 {
		r.add(outcome{replied: true, backend: fmt.Sprint(i)})
	}
	r.add(outcome{replied: true, backend: "0"})
	report := reportOf(r)
	if len(report.Backends) != mostBackends+1 || report.Backends[otherBackends] != 10 || report.Backends["0"] != 2 {
		t.Errorf("%d names, %d others, %d of the first", len(report.Backends), report.Backends[otherBackends], report.Backends["0"])
	}
}
