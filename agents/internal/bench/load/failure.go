package load

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"syscall"
)

// explain returns one of few descriptions of an error, so that failures can be counted by it.
func explain(err error) string {
	var status errStatus
	switch {
	case errors.As(err, &status):
		return status.Error()
	case isTimeout(err):
		return "timed out"
	case isLocal(err):
		return "this machine had no free port or file"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "refused"
	case errors.Is(err, syscall.ECONNRESET):
		return "reset"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "unreachable"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.EPIPE), errors.Is(err, errClosedIdle):
		return "closed"
	case isCertificate(err):
		return "invalid certificate"
	case isAlert(err):
		return "TLS alert"
	}
	return "invalid"
}

// isTimeout includes the end of the run, which ends all exchanges.
func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout() || errors.Is(err, context.Canceled)
}

func isCertificate(err error) bool {
	var unverified *tls.CertificateVerificationError
	var host x509.HostnameError
	var authority x509.UnknownAuthorityError
	return errors.As(err, &unverified) || errors.As(err, &host) || errors.As(err, &authority)
}

func isAlert(err error) bool {
	var remote *net.OpError
	return errors.As(err, &remote) && remote.Op == "remote error"
}
