package simulate

const (
	recentProbes = 128
	mostRecent   = 255 // higher counts of requests are equal
)

// recentCounts are the requests in flight that the last probes found.
type recentCounts struct {
	last  [recentProbes]uint8
	added int
	times [mostRecent + 1]int // that each count is in last
}

func (c *recentCounts) add(inFlight int) {
	place := &c.last[c.added%recentProbes]
	if c.added >= recentProbes {
		c.times[*place]--
	}
	*place = uint8(min(inFlight, mostRecent))
	c.times[*place]++
	c.added++
}

// quantile returns the count that a share of the probes doesn't exceed.
func (c *recentCounts) quantile(share float64) (count int) {
	before := int(share * float64(min(c.added, recentProbes)))
	for count = range c.times {
		if before -= c.times[count]; before < 0 {
			break
		}
	}
	return count
}
