// Package configfile is a link without a control plane: configs are read from a file, and reports
// are discarded. It is for balancers that are run by hand, by a lab or by other software that owns
// the file.
package configfile
