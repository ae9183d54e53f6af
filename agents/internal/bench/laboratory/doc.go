// Package laboratory lets a benchmark have a datacentre in network namespaces: it
// runs the real `fairlead-agent lab` and asks it for changes. It measures nothing.
package laboratory
