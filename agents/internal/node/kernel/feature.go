package kernel

// Feature is something a later role needs.
type Feature struct {
	Name      string
	Available bool
	Reason    string // one sentence, when not
}

func available(name string) Feature { return Feature{Name: name, Available: true} }

func missing(name, reason string) Feature { return Feature{Name: name, Reason: reason} }
