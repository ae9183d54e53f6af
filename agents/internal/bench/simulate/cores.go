package simulate

import "math"

// cores serve requests of a node at the same speed, none faster than one core can: all of them, or with slots the first
// ones, while the others wait.
type cores struct {
	count, speed float64
	neighbour    float64 // the share of the cores that another process takes
	slots        int     // requests that are served at once; 0: all
	quota        quota
	jobs         []job // those that are served: a heap by end
	waiting      fifo
	progress     float64 // work that each request got since the start, had it been here so long
	updated      float64
	version      int     // rises when the jobs or their speed change
	busy         float64 // ∫min(jobs, cores)dt: what the node can measure
	used         float64 // … without what the neighbour takes: what its pods used
}

type job struct {
	end     float64 // in progress; the work of one that waits
	request int32
}

// total is how many requests are here.
func (c *cores) total() float64 { return float64(len(c.jobs) + c.waiting.len()) }

func (c *cores) free() float64 { return c.count * (1 - c.neighbour) }

// rate is the work per second that each job gets. A quota limits for how long, not how fast.
func (c *cores) rate() float64 {
	if c.quota.period > 0 {
		if c.quota.left <= 0 {
			return 0
		}
		return c.speed * (1 - c.neighbour) * min(1, c.running()/float64(len(c.jobs)))
	}
	return c.speed * min(1, c.free()/float64(len(c.jobs)))
}

// running is how many whole cores requests use within a quota.
func (c *cores) running() float64 { return min(float64(len(c.jobs)), math.Ceil(c.count)) }

func (c *cores) advance(now float64) {
	passed := now - c.updated
	if passed <= 0 {
		return
	}
	c.updated = now
	if len(c.jobs) == 0 {
		c.quota.renew(now, c.count)
		return
	}
	jobs, rate := c.total(), c.rate()
	c.progress += rate * passed
	if c.quota.period == 0 {
		c.busy += min(jobs, c.count) * passed
		c.used += min(jobs, c.free()) * passed
		return
	}
	c.busy += min(jobs, math.Ceil(c.count)) * passed
	if rate > 0 {
		c.used += c.running() * passed
		c.quota.use(c.running() * passed)
	}
	c.quota.renew(now, c.count)
}

// nextEnd is when the first job ends if nothing changes, or when its speed changes before because of a quota.
func (c *cores) nextEnd() (at float64, changes bool) {
	end := math.Inf(1)
	if rate := c.rate(); rate > 0 {
		end = c.updated + max(0, c.jobs[0].end-c.progress)/rate
	}
	if c.quota.period == 0 {
		return end, false
	}
	if change := c.quota.change(c.updated, c.running()); change < end {
		return change, true
	}
	return end, false
}

func (c *cores) add(work float64, request int32) {
	if c.slots > 0 && len(c.jobs) == c.slots {
		c.waiting.add(job{work, request})
		return
	}
	c.serve(work, request)
}

func (c *cores) serve(work float64, request int32) {
	c.jobs = append(c.jobs, job{c.progress + work, request})
	jobs := c.jobs
	for i := len(jobs) - 1; i > 0; {
		parent := (i - 1) / 2
		if jobs[parent].end <= jobs[i].end {
			break
		}
		jobs[i], jobs[parent] = jobs[parent], jobs[i]
		i = parent
	}
}

func (c *cores) removeFirst() job {
	first, last := c.jobs[0], len(c.jobs)-1
	c.jobs[0] = c.jobs[last]
	c.jobs = c.jobs[:last]
	c.sink(0)
	c.fill()
	return first
}

// fill serves those that wait, in their order.
func (c *cores) fill() {
	for len(c.jobs) < c.slots && c.waiting.len() > 0 {
		next := c.waiting.next()
		c.serve(next.end, next.request)
	}
}

// removeIf removes jobs by request and returns their requests.
func (c *cores) removeIf(remove func(request int32) bool) (removed []int32) {
	kept := c.jobs[:0]
	for _, each := range c.jobs {
		if remove(each.request) {
			removed = append(removed, each.request)
		} else {
			kept = append(kept, each)
		}
	}
	c.jobs = kept
	for i := len(kept)/2 - 1; i >= 0; i-- {
		c.sink(i)
	}
	removed = append(removed, c.waiting.removeIf(remove)...)
	c.fill()
	return removed
}

func (c *cores) sink(i int) {
	jobs := c.jobs
	for {
		child := 2*i + 1
		if child >= len(jobs) {
			return
		}
		if child+1 < len(jobs) && jobs[child+1].end < jobs[child].end {
			child++
		}
		if jobs[i].end <= jobs[child].end {
			return
		}
		jobs[i], jobs[child] = jobs[child], jobs[i]
		i = child
	}
}
