package sockets

import "testing"

func TestOnlyWhatNoConnectionExplainsIsDrift(t *testing.T) {
	for _, each := range []struct {
		name          string
		before, after use
		exist         uint64
		want          correction
	}{
		{"equal", use{Opened: 9, Closed: 4}, use{Opened: 9, Closed: 4}, 5, correction{}},
		{"too many counted", use{Opened: 9, Closed: 4}, use{Opened: 9, Closed: 4}, 3, correction{closed: 2}},
		{"too few counted", use{Opened: 9, Closed: 4}, use{Opened: 9, Closed: 4}, 6, correction{opened: 1}},
		{"began and was listed", use{Opened: 9, Closed: 4}, use{Opened: 11, Closed: 4}, 7, correction{}},
		{"began and was not listed", use{Opened: 9, Closed: 4}, use{Opened: 11, Closed: 4}, 5, correction{}},
		{"ended and was not listed", use{Opened: 9, Closed: 4}, use{Opened: 9, Closed: 6}, 3, correction{}},
		{"more than began", use{Opened: 9, Closed: 4}, use{Opened: 11, Closed: 4}, 8, correction{opened: 1}},
		{"more than ended", use{Opened: 9, Closed: 4}, use{Opened: 9, Closed: 6}, 2, correction{closed: 1}},
		{"ended more than were open", use{Opened: 5, Closed: 4}, use{Opened: 9, Closed: 8}, 0, correction{}},
	} {
		if got := drift(each.before, each.after, each.exist); got != each.want {
			t.Errorf("%s: %+v, want %+v", each.name, got, each.want)
		}
	}
}
