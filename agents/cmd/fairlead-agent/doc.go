// Command fairlead-agent runs one role on a host and applies the desired state from the control
// plane.
package main
