// Package message puts BGP into the words of the protocol with the control plane, and takes
// it from them. It fills in what a config leaves open.
package message
