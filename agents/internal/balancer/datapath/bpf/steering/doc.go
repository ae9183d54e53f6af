// Package steering places single connections for a policy: it writes the table that the
// programs read before they choose. It keeps the packets of connections that are held, and
// sends them by running the program again. It never decides where a connection goes. The
// first packets that wait for the peers are another matter: package hold has them.
package steering
