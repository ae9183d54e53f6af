package policy

// Usual is how long a request takes one core at nodes that have served some, on average. A node that has served none is
// assumed to be like them, and one without requests becomes like them unless it was faster. Otherwise it would get no
// request that shows how fast it is.
type Usual struct {
	sum   float64
	count int
}

// Add includes a node by its service time, which is 0 if it has served none.
func (u *Usual) Add(seconds float64) {
	if seconds > 0 {
		u.sum, u.count = u.sum+seconds, u.count+1
	}
}

// Seconds returns the mean; 0 if no node has served a request.
func (u *Usual) Seconds() float64 { return u.sum / float64(max(1, u.count)) }
