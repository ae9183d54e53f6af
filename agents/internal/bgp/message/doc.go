// Package message translates BGP to and from the protocol of the control plane. It fills in the
// defaults of a config.
package message
