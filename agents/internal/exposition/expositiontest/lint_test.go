package expositiontest

import (
	"strings"
	"testing"
)

func TestProblemsFindsWhatPromtoolComplainsAbout(t *testing.T) {
	for _, test := range []struct{ name, page, want string }{
		{"clean", "# HELP a_seconds A.\n# TYPE a_seconds gauge\na_seconds 1\n", ""},
		{"no help text", "# TYPE a gauge\na 1\n", "a: no help text"},
		{"an abbreviated unit", "# HELP a_ms A.\n# TYPE a_ms gauge\na_ms 1\n", "a_ms: metric names should not contain abbreviated units"},
		{"a name without samples", "# HELP a A.\n# TYPE a counter\n", `a: counter metrics should have "_total" suffix`},
		{"the same series twice", "# HELP a A.\n# TYPE a gauge\na{b=\"c\"} 1\na{b=\"c\"} 2\n", "a: metric not unique"},
		{
			"two groups", "# HELP a A.\n# TYPE a gauge\na{b=\"c\"} 1\n# HELP d D.\n# TYPE d gauge\nd 1\na{b=\"e\"} 1\n",
			"a: a sample is outside of its group",
		},
		{"nothing", "", "the page has no metrics"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := Problems(test.page)
			if err != nil || strings.Join(got, "\n") != test.want {
				t.Errorf("got %q, %v, want %q", got, err, test.want)
			}
		})
	}
	if _, err := Problems("# TYPE a gauge\na{b=\"\\t\"} 1\n"); err == nil {
		t.Error("an invalid escape sequence was accepted")
	}
}
