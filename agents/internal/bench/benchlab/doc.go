// Package benchlab provides a data centre in network namespaces to a benchmark: it runs the real
// `fairlead-agent lab` and requests changes. It measures nothing.
package benchlab
