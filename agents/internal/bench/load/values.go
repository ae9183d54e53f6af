package load

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strconv"
	"strings"
)

func parseURL(text string) (*url.URL, error) {
	target, err := url.Parse(text)
	if err != nil {
		var wrong *url.Error
		if errors.As(err, &wrong) {
			err = wrong.Err // without the URL, which may have a password
		}
		return nil, fmt.Errorf("the URL is invalid: %w", err)
	}
	if target.User != nil {
		return nil, errors.New("the URL has a user or a password, which are not sent: use --header \"Authorization: Basic …\" instead")
	}
	target.Fragment = ""
	if target.Path == "" {
		target.Path = "/"
	}
	return target, nil
}

func addHeader(header http.Header, text string) error {
	name, value, is := strings.Cut(text, ":")
	if !is || name == "" || strings.ContainsAny(name, " \t") || strings.ContainsAny(value, "\r\n") {
		return errors.New("use one such as \"Accept: text/html\"")
	}
	header.Set(name, strings.TrimSpace(value))
	return nil
}

func readAuthorities(path string) (*x509.CertPool, error) {
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("--ca is %q: %w", path, err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("--ca is %q, which has no certificate: use a file with PEM blocks CERTIFICATE", path)
	}
	return pool, nil
}

func parseSources(text string) (list []netip.Addr, err error) {
	if text == "" {
		return nil, nil
	}
	for each := range strings.SplitSeq(text, ",") {
		address, err := netip.ParseAddr(each)
		if err != nil {
			return nil, fmt.Errorf("--source has %q: use comma-separated addresses of this machine, such as 192.0.2.10,192.0.2.11", each)
		}
		list = append(list, address)
	}
	return list, nil
}

// resolve returns the addresses to connect to: those given, or the first of the URL's host.
func resolve(ctx context.Context, target *url.URL, connect string) (list []netip.AddrPort, err error) {
	port, err := portOf(target)
	if err != nil {
		return nil, err
	}
	if connect == "" {
		if target.Hostname() == "" {
			return nil, nil // the check of the options explains it
		}
		found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", target.Hostname())
		if err != nil {
			return nil, fmt.Errorf("find the address of %s: %w; set it with --connect", target.Hostname(), err)
		}
		return []netip.AddrPort{netip.AddrPortFrom(found[0].Unmap(), port)}, nil
	}
	for each := range strings.SplitSeq(connect, ",") {
		address, err := netip.ParseAddrPort(each)
		if alone, is := netip.ParseAddr(each); is == nil {
			address, err = netip.AddrPortFrom(alone, port), nil
		}
		if err != nil {
			return nil, fmt.Errorf("--connect has %q: use comma-separated addresses, such as 192.0.2.1 or [2001:db8::1]:443", each)
		}
		list = append(list, address)
	}
	return list, nil
}

func portOf(target *url.URL) (uint16, error) {
	text := target.Port()
	switch {
	case text == "" && target.Scheme == "https":
		return 443, nil
	case text == "":
		return 80, nil
	}
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil || port == 0 {
		return 0, fmt.Errorf("the URL has the port %q: use 1 to 65535", text)
	}
	return uint16(port), nil
}
