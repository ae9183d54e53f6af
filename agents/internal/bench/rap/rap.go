package rap

// Threshold is the paper's, of CPU and of RAM.
const Threshold = 0.9

// Node is a node as RAP sees it.
type Node struct {
	CPU         float64 `json:"cpu"`      // of its backends, as a share of what they may use
	RAM         float64 `json:"ram"`      // the same
	Distance    float64 `json:"distance"` // from the entry
	HasBackends bool    `json:"hasBackends"`
}

// IsOverloaded reports whether requests that enter at the node leave it.
func (n Node) IsOverloaded(threshold float64) bool {
	return !n.HasBackends || n.CPU >= threshold || n.RAM >= threshold
}

// Best returns the other node with the highest score of free CPU, free RAM and nearness, with equal weights; -1 if all
// are overloaded. farthest is the longest distance between any two nodes. The comparison signs that the printed
// algorithm lost are those of its text.
func Best(entry int, nodes []Node, farthest, threshold float64) int {
	best, high := -1, 0.0
	for i, n := range nodes {
		if i == entry || n.IsOverloaded(threshold) {
			continue
		}
		nearness := 1.0
		if farthest > 0 {
			nearness = 1 - n.Distance/farthest
		}
		if score := (1 - n.CPU + (1 - n.RAM) + nearness) / 3; best < 0 || score > high {
			best, high = i, score
		}
	}
	return best
}

// Choose returns where requests of an entry go. They stay if best, which is that of Best, is no node.
func Choose(entry int, here Node, best int, threshold float64) int {
	if best >= 0 && here.IsOverloaded(threshold) {
		return best
	}
	return entry
}
