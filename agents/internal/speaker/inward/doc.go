// Package inward probes a service like a client whose packets arrive on an interface of this host:
// through the data path, to a backend and back. A local connection would bypass the data path,
// because the service's address belongs to this host.
//
// It injects a frame where the interface receives frames, by running an empty XDP program with live
// frames, and reads the reply from the interface. It changes nothing on the host, and leaves no
// connection at the backend.
//
// If the kernel's stack forwards packets, as with IPVS and with NAT by nftables over IPv4, it drops packets from
// outside with one of its own addresses as the source: the interface then needs accept_local. With
// native XDP, frames are passed to the data path's own program; finding it requires CAP_SYS_ADMIN.
// A proxy answers on the host itself: probe it with a connection.
package inward
