package load

import (
	"bytes"
	"io"
	"net/url"
	"strings"
	"testing"
)

func mustURL(text string) *url.URL {
	target, err := parseURL(text)
	if err != nil {
		panic(err)
	}
	return target
}

func TestInvalidArgumentsNameTheFlagAndTheCure(t *testing.T) {
	const target = "http://192.0.2.1/"
	for _, test := range []struct {
		arguments string
		want      []string
	}{
		{"", []string{"the URL is missing", "https://192.0.2.1/"}},
		{"192.0.2.1", []string{"must start with http:// or https://"}},
		{"http://192.0.2.1:99999/", []string{"port", "1 to 65535"}},
		{target + " " + target, []string{"unexpected argument", "one URL"}},
		{target + " --rate=0", []string{"--rate is 0", "0.001 to 1000000"}},
		{target + " --rate=1e-10", []string{"--rate is 1e-10", "0.001 to 1000000"}},
		{target + " --rate=NaN", []string{"--rate is NaN"}},
		{target + " --rate=many", []string{"--rate", "use a number", "--help"}},
		{target + " --for=30", []string{"--for", "30s"}},
		{target + " --rate", []string{"--rate", "--help"}},
		{target + " --pigeons=3", []string{"--pigeons", "--help"}},
		{target + " --arrivals=never", []string{`--arrivals is "never"`, "poisson"}},
		{target + " --for=0s", []string{"--for is 0s", "30s"}},
		{target + " --warmup=-1s", []string{"--warmup is -1s"}},
		{target + " --users=0", []string{"--users is 0", "1 to 1000000"}},
		{target + " --rate=100 --think=10s --users=999", []string{"at least 1000 users", "raise --users"}},
		{target + " --requests=0", []string{"--requests is 0"}},
		{target + " --connections=-1", []string{"--connections is -1"}},
		{target + " --timeout=0s", []string{"--timeout is 0s"}},
		{target + " --timeout=2562047h", []string{"--timeout is 2562047h", "at most 1h"}},
		{target + " --for=2562047h", []string{"--for is 2562047h", "at most 720h"}},
		{target + " --warmup=2562047h", []string{"--warmup is 2562047h", "720h"}},
		{target + " --rate=0.001 --think=2562047h", []string{"--think is 2562047h", "720h"}},
		{"http://ann:secret@192.0.2.1/", []string{"user or a password", "--header"}},
		{target + " --max-lateness=0s", []string{"--max-lateness is 0s"}},
		{target + " --connect=here", []string{`--connect has "here"`, "192.0.2.1"}},
		{target + " --source=here", []string{`--source has "here"`}},
		{target + " --source=2001:db8::1", []string{"--source 2001:db8::1", "one family"}},
		{target + " --header=none", []string{"--header", "Accept: text/html"}},
		{target + " --backend=cookie", []string{"--backend", "header:X-Backend"}},
		{target + " --insecure", []string{"--insecure", "https://"}},
		{target + " --tls=1.1", []string{`--tls is "1.1"`, "1.2-ticket"}},
		{"https://192.0.2.1/ --ca=/nowhere", []string{`--ca is "/nowhere"`}},
		{"https://192.0.2.1/ --ca=/etc/hostname", []string{"no certificate", "PEM"}},
	} {
		err := Command(t.Context(), strings.Fields(test.arguments), io.Discard, io.Discard)
		for _, want := range test.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the error has no %q: %v", test.arguments, want, err)
			}
		}
	}
}

func TestEachUserNeedsAFile(t *testing.T) {
	if err := checkFiles(1000, 1000+otherFiles); err != nil {
		t.Error(err)
	}
	err := checkFiles(1001, 1000+otherFiles)
	for _, want := range []string{"--users is 1001", "only 1050 files", "ulimit -n 1051", "lower --users"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error has no %q: %v", want, err)
		}
	}
}

func TestAPasswordInTheURLIsNotPrinted(t *testing.T) {
	for _, target := range []string{"http://ann:secret@192.0.2.1/", "http://ann:secret@192.0.2.1:x/"} {
		var out bytes.Buffer
		err := Command(t.Context(), []string{target}, &out, &out)
		if err == nil || strings.Contains(err.Error()+out.String(), "secret") {
			t.Errorf("%v\n%s", err, out.String())
		}
	}
}

func TestHelpListsEveryFlag(t *testing.T) {
	var out bytes.Buffer
	if err := Command(t.Context(), []string{"--help"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"rate", "arrivals", "for", "warmup", "seed", "users", "think", "requests", "connections", "timeout", "connect", "source",
		"header", "backend", "tls", "server-name", "ca", "insecure", "json", "returns", "max-lateness",
	} {
		if !strings.Contains(out.String(), "--"+name+" ") {
			t.Errorf("--%s is missing", name)
		}
	}
}

func TestFlagsAreReadBeforeAndAfterTheURL(t *testing.T) {
	for _, arguments := range []string{"--rate 7 http://[2001:db8::1]:81/x --users 3", "http://[2001:db8::1]:81/x --users 3 --rate 7"} {
		o, _, err := parse(t.Context(), strings.Fields(arguments))
		if err != nil || o.Rate != 7 || o.Users != 3 || len(o.Addresses) != 1 || o.Addresses[0].String() != "[2001:db8::1]:81" {
			t.Errorf("%s: %+v, %v", arguments, o, err)
		}
	}
}
