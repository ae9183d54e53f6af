// Package delivery probes whether a backend gets packets of a service: it sends one as the data path
// would, to the service address, and reads the reply. The replica's kernel can do neither, because
// the service address is its own. It uses no data path, so it works beside each of them.
//
// It probes only deliveries that keep the packet. It doesn't check the application: the check of the
// backend's own address does.
package delivery
