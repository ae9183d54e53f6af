// Package churn measures how many established connections break while backends and replicas are
// added and removed: in a lab, with our balancers or a peer's in the same topology, compared with
// models; and, on models only, how many clients return to the backend that has their TLS session. It makes no decisions about packets and doesn't inspect balancers: a break is what a
// client saw.
package churn
