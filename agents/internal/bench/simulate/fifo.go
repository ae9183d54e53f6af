package simulate

// fifo has jobs in the order in which they came.
type fifo struct {
	jobs  []job
	first int
}

func (f *fifo) len() int { return len(f.jobs) - f.first }

func (f *fifo) add(j job) { f.jobs = append(f.jobs, j) }

// next removes the first one.
func (f *fifo) next() job {
	j := f.jobs[f.first]
	if f.first++; f.first == len(f.jobs) {
		f.jobs, f.first = f.jobs[:0], 0
	}
	return j
}

// removeIf removes jobs by request and returns their requests.
func (f *fifo) removeIf(remove func(request int32) bool) (removed []int32) {
	kept := f.jobs[:0]
	for _, each := range f.jobs[f.first:] {
		if remove(each.request) {
			removed = append(removed, each.request)
		} else {
			kept = append(kept, each)
		}
	}
	f.jobs, f.first = kept, 0
	return removed
}
