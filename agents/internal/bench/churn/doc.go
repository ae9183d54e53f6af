// Package churn measures how many established connections break while backends
// and replicas come and go: in a laboratory, with our balancers or a peer's in the
// same topology, and beside them what models break. It decides nothing about
// packets and looks into no balancer: a break is what a client saw.
package churn
