//go:build !linux

package hostaddress

import "errors"

// Watch needs the kernel's word.
func Watch() (changed <-chan struct{}, stop func(), err error) {
	return nil, nil, errors.New("addresses are watched on Linux only")
}
