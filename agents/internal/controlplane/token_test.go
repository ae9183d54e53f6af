package controlplane

import (
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

func encodedToken(payload string) string {
	return tokenPrefix + base64.RawURLEncoding.EncodeToString([]byte(payload))
}

var validToken = encodedToken(`{"i":"tok_1","s":"hush","ca":"` + strings.Repeat("ab", 32) + `"}`)

func TestParsesAPastedToken(t *testing.T) {
	token, err := ParseToken("  " + validToken + "\n")
	if err != nil {
		t.Fatal(err)
	}
	if token.ID != "tok_1" || token.Fingerprint[0] != 0xab || token.text != validToken {
		t.Fatalf("token = %+v", *token)
	}
}

func TestRejectsInvalidTokens(t *testing.T) {
	ca := strings.Repeat("ab", 32)
	for name, in := range map[string]string{
		"empty":            "",
		"another prefix":   "fl2_abc",
		"cut off":          validToken[:len(validToken)-7],
		"not base64":       tokenPrefix + "!!!",
		"not JSON":         encodedToken("hello"),
		"no id":            encodedToken(`{"s":"hush","ca":"` + ca + `"}`),
		"no secret":        encodedToken(`{"i":"tok_1","ca":"` + ca + `"}`),
		"short CA":         encodedToken(`{"i":"tok_1","s":"hush","ca":"abab"}`),
		"larger than life": validToken + strings.Repeat("A", tokenMostSize),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := ParseToken(in); !errors.Is(err, ErrToken) {
				t.Fatalf("err = %v", err)
			}
		})
	}
}

func TestATokenIsNeverPrinted(t *testing.T) {
	token, err := ParseToken(validToken)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	slog.New(slog.NewTextHandler(&out, nil)).Info("starting", "token", token)
	fmt.Fprintf(&out, "%v %+v %#v %s", token, token, token, token)
	if strings.Contains(out.String(), "hush") || strings.Contains(out.String(), "fl1_") {
		t.Fatalf("printed: %s", out.String())
	}
}

func FuzzParseToken(f *testing.F) {
	f.Add(validToken)
	f.Add(encodedToken(`{"i":null}`))
	f.Add("fl1_")
	f.Fuzz(func(t *testing.T, text string) {
		token, err := ParseToken(text)
		if (token == nil) == (err == nil) {
			t.Fatalf("token %v, err %v", token, err)
		}
		if err == nil && (token.ID == "" || token.text == "") {
			t.Fatalf("an accepted token lacks a part: %q", text)
		}
	})
}
