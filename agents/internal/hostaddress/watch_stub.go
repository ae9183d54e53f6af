//go:build !linux

package hostaddress

import "errors"

// Watch is only available on Linux.
func Watch() (changed <-chan struct{}, stop func(), err error) {
	return nil, nil, errors.New("addresses are watched on Linux only")
}
