package adaptive

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fairlead.dev/agents/internal/netspace"
)

// DelayOptions are delay lines between interfaces of a network namespace.
type DelayOptions struct {
	Namespace string      // its file
	Ends      [][2]string // of each line
	RoundTrip time.Duration
}

// Check returns what to change.
func (o DelayOptions) Check() error {
	if o.RoundTrip < 2*linePeriod {
		return fmt.Errorf("--round-trip is %v; give %v or more, because frames are looked at every %v", o.RoundTrip, 2*linePeriod, linePeriod)
	}
	if len(o.Ends) == 0 {
		return errors.New("--ends is missing; give the two interfaces of each line, such as a:b,c:d")
	}
	return nil
}

// Delay delays frames until the context ends.
func Delay(ctx context.Context, options DelayOptions) (err error) {
	space, err := netspace.OpenFile(options.Namespace)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, space.Close()) }()
	bundle, err := openLines(space, options.Ends, options.RoundTrip/2)
	if err != nil {
		return err
	}
	<-ctx.Done()
	return bundle.Close()
}
