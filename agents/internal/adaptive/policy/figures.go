package policy

// BusyRate is from how many requests per second on a service's figures of a node are sent twice as often: at this rate, a
// queue of twenty may come and go between two usual ones.
const BusyRate = 400

// Figures describe one service at one node, as that node sends them to another, the receiver.
// Rates are requests per second.
type Figures struct {
	Cores              float64 // that its backends may use
	ServiceTime        float64 // seconds of one core that a request takes
	Rate               float64 // of requests served here, from all nodes
	RateOfOthers       float64 // of those, from nodes other than this one
	RateOfReceiver     float64 // of those, from the receiver
	EntryRate          float64 // of requests that enter at this node, wherever they are served
	InFlight           float64 // requests served here now, from all nodes
	InFlightOfReceiver float64 // of those, from the receiver
}
