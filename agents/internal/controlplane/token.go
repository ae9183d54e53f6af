package controlplane

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
)

const (
	tokenPrefix   = "fl1_"
	tokenMostSize = 4096 // a real one has about 200 characters
)

// ErrToken is returned for text that isn't an enrolment token.
var ErrToken = errors.New("this is not a Fairlead enrolment token: copy the whole of it, from fl1_ on")

// Token is a one-time right to enrol. It contains the control plane's CA fingerprint, so that the
// first connection is as safe as later ones. Printing it shows only its ID.
type Token struct {
	text        string
	ID          string
	Fingerprint [32]byte // SHA-256 of the CA certificate's DER
}

// ParseToken parses a token from the dashboard; it ignores surrounding white space, as from pasting
// or files.
func ParseToken(text string) (*Token, error) {
	text = strings.TrimSpace(text)
	encoded, found := strings.CutPrefix(text, tokenPrefix)
	if !found || len(text) > tokenMostSize {
		return nil, ErrToken
	}
	payload, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(encoded, "="))
	if err != nil {
		return nil, ErrToken // the cause would quote a part of the secret
	}
	var fields struct {
		ID     string `json:"i"`
		Secret string `json:"s"`
		CA     string `json:"ca"`
	}
	if err := json.Unmarshal(payload, &fields); err != nil {
		return nil, ErrToken
	}
	fingerprint, err := hex.DecodeString(fields.CA)
	if err != nil || len(fingerprint) != 32 || fields.ID == "" || fields.Secret == "" {
		return nil, ErrToken
	}
	return &Token{text: text, ID: fields.ID, Fingerprint: [32]byte(fingerprint)}, nil
}

// names reports whether the token has the fingerprint of this CA.
func (t *Token) names(authority *x509.Certificate) bool {
	return sha256.Sum256(authority.Raw) == t.Fingerprint
}

// String keeps the secret out of messages.
func (t *Token) String() string { return fmt.Sprintf("token %s", t.ID) }

// GoString keeps the secret out of %#v.
func (t *Token) GoString() string { return t.String() }

// LogValue keeps the secret out of the log.
func (t *Token) LogValue() slog.Value { return slog.StringValue(t.ID) }
