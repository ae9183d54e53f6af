package controlplane

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"strings"

	"connectrpc.com/connect"
)

// ErrAuthority reports that another server answered at the control plane's address. The session retries
// rarely, and sends nothing to it.
var ErrAuthority = errors.New("the control plane's certificate is not signed by the CA that the enrolment token names: check the address, or make a new token")

// refused reports whether the control plane rejected this agent, so that frequent retries are
// useless. All other errors are temporary.
func refused(err error) bool {
	switch connect.CodeOf(err) {
	case connect.CodeUnauthenticated, connect.CodePermissionDenied:
		return true
	}
	return certificateRefused(err)
}

// malformed reports whether repeating the same request can't succeed.
func malformed(err error) bool {
	switch connect.CodeOf(err) {
	case connect.CodeInvalidArgument, connect.CodeOutOfRange:
		return true
	case connect.CodeResourceExhausted:
		return tooLarge(err)
	}
	return false
}

// tooLarge distinguishes a request above the control plane's size limit from one at a bad moment:
// only the latter has a retry delay.
func tooLarge(err error) bool {
	var answer *connect.Error
	return errors.As(err, &answer) && connect.IsWireError(err) && answer.Meta().Get("Retry-After") == ""
}

// failedInside reports whether the control plane received the request and failed on it, in contrast
// to a failed connection.
func failedInside(err error) bool {
	switch connect.CodeOf(err) {
	case connect.CodeInternal, connect.CodeUnknown, connect.CodeDataLoss:
		return connect.IsWireError(err)
	}
	return false
}

// certificateRefused recognizes the TLS alerts for a rejected client certificate. crypto/tls
// doesn't export their type, so it compares the text.
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

// advice is what an operator can do about an error, or "".
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

// clockWrong recognizes a certificate that is not valid yet, or no longer: usually the host's clock
// was not set when it started.
func clockWrong(err error) bool {
	var invalid x509.CertificateInvalidError
	return errors.As(err, &invalid) && invalid.Reason == x509.Expired
}
