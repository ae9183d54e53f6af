// Package vmtest runs tests of a package on another kernel than the machine's. The other
// kernel is Debian's user-mode Linux, an ordinary process, with the package's test binary as
// init. The product doesn't use it.
package vmtest
