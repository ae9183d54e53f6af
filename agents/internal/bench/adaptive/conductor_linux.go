package adaptive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"time"
)

// Environment variables of a part of the lab in a pod: the address of its conductor, and its own name.
const (
	ConductorVariable = "FAIRLEAD_BENCH_CONDUCTOR"
	PartVariable      = "FAIRLEAD_BENCH_PART"
)

const dialAgainAfter = 200 * time.Millisecond

// obeyConductor obeys one conductor after the other. Pods start before there is one.
func obeyConductor[Order any](address, part string, do func(Order) (any, error)) error {
	for ; ; time.Sleep(dialAgainAfter) {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			continue
		}
		if json.NewEncoder(conn).Encode(part) == nil {
			_ = obeyOver(conn, conn, do) // the conductor reports what it doesn't get
		}
		_ = conn.Close()
	}
}

// acceptParts waits until each of the parts has connected, and is ready. close ends their connections.
func acceptParts(ctx context.Context, listener net.Listener, wanted []string) (parts map[string]orders, closeAll func() error, err error) {
	var conns []net.Conn
	closeAll = func() error {
		var errs []error
		for _, conn := range conns {
			errs = append(errs, conn.Close())
		}
		return errors.Join(errs...)
	}
	stop := context.AfterFunc(ctx, func() { _ = listener.Close() })
	defer stop()
	parts = map[string]orders{}
	for len(parts) < len(wanted) {
		conn, err := listener.Accept()
		if err != nil {
			return parts, closeAll, fmt.Errorf("%d of the parts %q have connected: %w", len(parts), wanted, errors.Join(context.Cause(ctx), err))
		}
		conns = append(conns, conn)
		one := newOrders("", conn, conn)
		if err := one.replies.Decode(&one.to); err != nil {
			return parts, closeAll, fmt.Errorf("the name of a part: %w", err)
		}
		if err := one.receive(nil); err != nil {
			return parts, closeAll, err
		}
		if _, twice := parts[one.to]; twice {
			return parts, closeAll, fmt.Errorf("%s has started again", one.to)
		}
		parts[one.to] = one
	}
	for _, name := range wanted {
		if _, is := parts[name]; !is {
			return parts, closeAll, fmt.Errorf("%s has not connected, but %d others have", name, len(parts))
		}
	}
	return parts, closeAll, nil
}
