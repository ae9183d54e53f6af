package kernel

// Feature is a kernel feature that a role needs.
type Feature struct {
	Name      string
	Available bool
	Reason    string // one sentence, if not available
}

func available(name string) Feature { return Feature{Name: name, Available: true} }

func missing(name, reason string) Feature { return Feature{Name: name, Reason: reason} }
