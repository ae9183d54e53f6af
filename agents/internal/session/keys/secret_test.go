package keys

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestSecretsAreNeverPrinted(t *testing.T) {
	epoch := printable()
	server := For("a", []string{"a", "b"}, epoch)
	file, _ := Node("keys", server)
	type nested struct{ hidden, Shown any }
	values := []any{
		epoch.secret, &epoch.secret, epoch, &epoch, &server, server, server.Own, &server.Own, file,
		nested{epoch.secret, epoch}, []Secret{epoch.secret}, map[string]Epoch{"a": epoch}, Nginx("", server),
	}
	for i, value := range values {
		var printed strings.Builder
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "% x", "%08b"} {
			fmt.Fprintf(&printed, verb+"\n", value)
		}
		fmt.Fprintln(&printed, value, fmt.Errorf("with %v", value))
		text, err := json.Marshal(value)
		printed.WriteString(string(text) + fmt.Sprint(err))
		lines, _ := yaml.Marshal(value)
		printed.Write(lines)
		for _, handler := range []slog.Handler{slog.NewTextHandler(&printed, nil), slog.NewJSONHandler(&printed, nil)} {
			slog.New(handler).Info("keys", "value", value)
		}
		if form, found := reveals(printed.String(), epoch.secret.reveal()); found {
			t.Errorf("value %d of type %T reveals the secret as %s", i, value, form)
		}
	}
	if got := epoch.secret.String() + fmt.Sprintf("%v", epoch.secret); got != hidden+hidden {
		t.Errorf("printed as %q", got)
	}
}

// printable is an epoch whose secret has one form as text.
func printable() Epoch {
	return Epoch{Number: 1, secret: hide([]byte(strings.Repeat("secret-of-ticket", 4)))}
}

// reveals looks for a part of the secret in the forms in which Go prints bytes.
func reveals(printed string, secret []byte) (form string, found bool) {
	part := secret[:9] // a multiple of three for base64
	forms := map[string]string{
		"text": string(part), "hexadecimal": hex.EncodeToString(part), "base64": base64.StdEncoding.EncodeToString(part),
		"numbers": strings.Trim(fmt.Sprint(part), "[]"), "hexadecimal with spaces": fmt.Sprintf("% x", part),
		"Go syntax": strings.Trim(strings.TrimPrefix(fmt.Sprintf("%#v", part), "[]byte"), "{}"), "binary": strings.Trim(fmt.Sprintf("%08b", part), "[]"),
		"quoted": strings.Trim(fmt.Sprintf("%q", part), `"`), "a list": strings.Join(strings.Fields(strings.Trim(fmt.Sprint(part), "[]")), ","),
	}
	for form, text := range forms {
		if strings.Contains(strings.ToLower(printed), strings.ToLower(text)) {
			return form, true
		}
	}
	return "", false
}

// The search must find each form, or the test above can't fail.
func TestTheSearchForSecretsFindsThem(t *testing.T) {
	secret := printable().secret.reveal()
	for _, printed := range []string{
		fmt.Sprint(secret), fmt.Sprintf("%x", secret), fmt.Sprintf("%X", secret), fmt.Sprintf("% x", secret), fmt.Sprintf("%#v", secret),
		fmt.Sprintf("%08b", secret), fmt.Sprintf("%q", secret), string(secret), base64.StdEncoding.EncodeToString(secret),
	} {
		if _, found := reveals(printed, secret); !found {
			t.Errorf("not found in %q", printed)
		}
	}
}
