package controlplanetest

import (
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// Skew is how old the control plane is compared with the agent.
type Skew int

const (
	// Same has exactly the agent's version of the protocol.
	Same Skew = iota
	// Newer adds fields unknown to the agent to everything, and sends an unknown kind of stream message.
	Newer
	// Older lacks Renew and all optional fields of its answers.
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

// skewed returns message, with an unknown field if the control plane is newer.
func skewed[M proto.Message](skew Skew, message M) M {
	if skew == Newer {
		field := protowire.AppendTag(nil, UnknownField, protowire.BytesType)
		message.ProtoReflect().SetUnknown(protowire.AppendBytes(field, []byte("from the future")))
	}
	return message
}
