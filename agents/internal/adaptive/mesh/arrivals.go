package mesh

// Prompt sends the figures now. A caller that has read them at this moment thereby sends none that are older. It is
// for callers that do so 20 times a second; without prompts, figures are sent as often.
func (m *Mesh) Prompt() { signal(m.prompted) }

// PromptBusy sends the figures of busy services now, unless peers take turns.
func (m *Mesh) PromptBusy() { signal(m.hurried) }

func signal(channel chan struct{}) {
	select {
	case channel <- struct{}{}:
	default:
	}
}

// Arrived appends the nodes from which figures arrived since the last call.
func (m *Mesh) Arrived(into []string) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	for node, one := range m.links {
		if one.isNew {
			one.isNew = false
			into = append(into, node)
		}
	}
	return into
}

// announce is called once for all datagrams that were read together: those of a peer usually arrive together.
func (m *Mesh) announce() {
	if m.announced != nil && m.hasArrived() {
		m.announced()
	}
}

func (m *Mesh) hasArrived() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, one := range m.links {
		if one.isNew {
			return true
		}
	}
	return false
}
