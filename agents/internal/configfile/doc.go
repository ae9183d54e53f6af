// Package configfile is a link without a control plane: configs come from a file,
// reports go nowhere. It is for balancers that are run by hand, by a lab or by
// other machinery that owns the file.
package configfile
