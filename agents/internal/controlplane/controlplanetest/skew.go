package controlplanetest

import (
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// Skew is how old the control plane is compared with the agent.
type Skew int

const (
	// Same knows exactly what the agent knows.
	Same Skew = iota
	// Newer puts fields that the agent has never heard of into everything, and
	// sends a kind of stream message it has never heard of.
	Newer
	// Older lacks Renew and every optional field of its answers.
	Older
)

// UnknownField is what a newer control plane adds to every message.
const UnknownField protowire.Number = 1000

// SetSkew makes the control plane older or newer from now on.
func (c *ControlPlane) SetSkew(skew Skew) { c.change(func() { c.skew = skew }) }

func (c *ControlPlane) skewNow() Skew {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.skew
}

// skewed returns message, with a field of the future when newer.
func skewed[M proto.Message](skew Skew, message M) M {
	if skew == Newer {
		field := protowire.AppendTag(nil, UnknownField, protowire.BytesType)
		message.ProtoReflect().SetUnknown(protowire.AppendBytes(field, []byte("from the future")))
	}
	return message
}
