// Package speaker is the role beside a balancer replica that offers its service addresses
// to routers: those that a probe through the replica's own data path answers for, and no
// others. One that flaps is held back; one that is to leave becomes the last resort first,
// and is withdrawn when nobody is connected any more.
//
// It never looks at configs of the balancer: what can't be reached isn't offered, whatever
// was set.
package speaker
