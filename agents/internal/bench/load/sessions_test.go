package load

import (
	"bufio"
	"bytes"
	"encoding/json"
	"testing"
)

func TestReturnsResumeWhereverTheKeysAreShared(t *testing.T) {
	pair, roots := certificate(t)
	one, other := [32]byte{1}, [32]byte{2}
	for _, kind := range []Resumption{PSK, Ticket} {
		t.Run(string(kind), func(t *testing.T) {
			for _, test := range []struct {
				name string
				keys [2][32]byte
			}{{"shared keys", [2][32]byte{one, one}}, {"separate keys", [2][32]byte{one, other}}} {
				t.Run(test.name, func(t *testing.T) {
					o := optionsFor("https://shop.example/", secured(t, pair, "a", test.keys[0]), secured(t, pair, "b", test.keys[1]))
					o.TLS = TLSOptions{Resumption: kind, Roots: roots}
					var lines bytes.Buffer
					o.Returns = &lines
					report := run(t, o)
					s := report.Sessions
					if s.NewUsers != 10 || s.Returns < 20 || s.Offered != s.Returns || s.SameBackend == 0 || s.OtherBackend == 0 || s.UnknownBackend > 0 {
						t.Errorf("%+v", s)
					}
					want := s.Returns
					if test.keys[0] != test.keys[1] {
						want = s.SameBackend
					}
					if s.Resumed != want {
						t.Errorf("%d of %d returns resumed, %d of them at the same backend", s.Resumed, s.Returns, s.SameBackend)
					}
					if uint64(report.ResumedHandshake.Count) != s.Resumed || uint64(report.FullHandshake.Count) != s.Connections-s.Resumed {
						t.Errorf("%d resumed and %d full handshakes", report.ResumedHandshake.Count, report.FullHandshake.Count)
					}
					checkLines(t, &lines, s, test.keys[0] == test.keys[1])
				})
			}
		})
	}
}

// checkLines compares the lines about returns with their counts.
func checkLines(t *testing.T, lines *bytes.Buffer, s Sessions, everywhere bool) {
	t.Helper()
	var count, same uint64
	for scanner := bufio.NewScanner(lines); scanner.Scan(); count++ {
		var line Return
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		if line.Backend == line.Before {
			same++
		}
		if line.Connection < 2 || !line.Offered || line.Resumed != (everywhere || line.Backend == line.Before) {
			t.Errorf("%+v", line)
		}
	}
	if count != s.Returns || same != s.SameBackend {
		t.Errorf("%d lines, %d of them at the same backend, of %+v", count, same, s)
	}
}

func TestANewUserHasNoSession(t *testing.T) {
	pair, roots := certificate(t)
	o := optionsFor("https://shop.example/", secured(t, pair, "a", [32]byte{1}))
	o.TLS.Roots, o.Requests, o.Connections = roots, 1, 2
	s := run(t, o).Sessions
	if s.NewUsers < 20 || s.Returns < 20 || s.Resumed != s.Returns || s.NewUsers+s.Returns != s.Connections {
		t.Errorf("%+v", s)
	}
}

func TestAnUntrustedCertificateFailsEachRequest(t *testing.T) {
	pair, _ := certificate(t)
	for _, kind := range []Resumption{PSK, ID} {
		o := optionsFor("https://shop.example/", secured(t, pair, "a", [32]byte{1}))
		o.TLS.Resumption = kind
		report, err := Run(t.Context(), o)
		if err != nil || report.Answered > 0 || report.Failures["handshake: invalid certificate"] != report.Due {
			t.Errorf("%s: %+v, %v", kind, report, err)
		}
	}
}
