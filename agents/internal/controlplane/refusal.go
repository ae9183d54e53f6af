package controlplane

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"strings"

	"connectrpc.com/connect"
)

// ErrAuthority says that something else answered where the control plane was
// expected. Nobody should retry that quickly, and nothing is sent to it.
var ErrAuthority = errors.New("the control plane's certificate is not signed by the CA that the enrolment token names: check the address, or make a new token")

// refused says whether the control plane decided against this agent, so that
// asking again soon is useless. Everything else is weather.
func refused(err error) bool {
	switch connect.CodeOf(err) {
	case connect.CodeUnauthenticated, connect.CodePermissionDenied:
		return true
	}
	return certificateRefused(err)
}

// malformed says that repeating exactly this request can't succeed.
func malformed(err error) bool {
	switch connect.CodeOf(err) {
	case connect.CodeInvalidArgument, connect.CodeOutOfRange:
		return true
	case connect.CodeResourceExhausted:
		return tooLarge(err)
	}
	return false
}

// tooLarge tells a request that is larger than the control plane reads from one
// that came at a bad moment: only the latter is told when to come again.
func tooLarge(err error) bool {
	var answer *connect.Error
	return errors.As(err, &answer) && connect.IsWireError(err) && answer.Meta().Get("Retry-After") == ""
}

// failedInside says that the control plane took the request and broke on it, as
// opposed to a broken way there.
func failedInside(err error) bool {
	switch connect.CodeOf(err) {
	case connect.CodeInternal, connect.CodeUnknown, connect.CodeDataLoss:
		return connect.IsWireError(err)
	}
	return false
}

// certificateRefused recognises the TLS alerts by which a server turns a client
// certificate down. crypto/tls keeps their type to itself, hence the text.
func certificateRefused(err error) bool {
	var operation *net.OpError
	if !errors.As(err, &operation) || operation.Op != "remote error" {
		return false
	}
	text := operation.Err.Error()
	for _, alert := range []string{
		"bad certificate", "revoked certificate", "expired certificate", "unknown certificate",
		"certificate required", "access denied", "unsupported certificate",
	} {
		if strings.Contains(text, alert) {
			return true
		}
	}
	return false
}

// advice is the part of an error that a person can act on, or "".
func advice(err error) string {
	var unknown x509.UnknownAuthorityError
	var record tls.RecordHeaderError
	switch {
	case clockWrong(err):
		return "the control plane's certificate is not valid now; check the clocks of this host and of the control plane"
	case errors.As(err, &unknown):
		return "another CA answers at the control plane's address; check the address, or enrol again with a new token"
	case errors.As(err, &record):
		return "what answers at the control plane's address does not speak TLS; check host and port"
	}
	return ""
}

// clockWrong recognises a certificate that is not valid yet, or no longer: the
// usual reason is a host whose clock was not set when it started.
func clockWrong(err error) bool {
	var invalid x509.CertificateInvalidError
	return errors.As(err, &invalid) && invalid.Reason == x509.Expired
}
