// Package inward asks a service the way a client does whose packet comes in by an
// interface of this host: through the data path that runs there, to a backend and back. A
// connection that is opened here would never meet a data path, for the service's address
// is this host's own.
//
// A frame is put where the interface's frames come in, by a run of an empty XDP program
// with live frames, and the answer is read off the interface. It changes nothing on the
// host, and leaves no connection at the backend.
//
// Where the kernel's own stack passes packets on, as with NAT by nftables over IPv4, it
// wants none from outside that has an address of its own: there the interface needs
// accept_local. With XDP in the driver, frames are given to the data path's own program,
// which takes CAP_SYS_ADMIN to find. A proxy answers on the host itself: ask that by a
// connection.
package inward
