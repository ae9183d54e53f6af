// Command fairlead-agent runs one role on a host and keeps it equal to what the
// control plane asks for.
package main
