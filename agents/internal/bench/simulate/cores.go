package simulate

// cores serve all requests of a node at the same speed, none faster than one core can.
type cores struct {
	count, speed float64
	neighbour    float64 // the share of the cores that another process takes
	jobs         []job   // a heap by end
	progress     float64 // work that each request got since the start, had it been here so long
	updated      float64
	version      int     // rises when the jobs or their speed change
	busy         float64 // ∫min(jobs, cores)dt: what the node can measure
	used         float64 // … without what the neighbour takes: what its pods used
}

type job struct {
	end     float64 // in progress
	request int32
}

func (c *cores) free() float64 { return c.count * (1 - c.neighbour) }

// rate is the work per second that each job gets.
func (c *cores) rate() float64 {
	return c.speed * min(1, c.free()/float64(len(c.jobs)))
}

func (c *cores) advance(now float64) {
	passed := now - c.updated
	if passed <= 0 {
		return
	}
	c.updated = now
	if len(c.jobs) == 0 {
		return
	}
	jobs := float64(len(c.jobs))
	c.progress += c.rate() * passed
	c.busy += min(jobs, c.count) * passed
	c.used += min(jobs, c.free()) * passed
}

// nextEnd is when the first job ends if nothing changes.
func (c *cores) nextEnd() float64 {
	return c.updated + max(0, c.jobs[0].end-c.progress)/c.rate()
}

func (c *cores) add(work float64, request int32) {
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
	return first
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
