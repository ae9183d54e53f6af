package adaptive

import "encoding/json"

// NeighbourCommand is the command of another process at a node, which takes all CPU time that it gets.
const NeighbourCommand = "adaptive-neighbour"

// Neighbour uses CPU time until its input ends.
func Neighbour(argument string) error {
	var options limitedOptions
	if err := json.Unmarshal([]byte(argument), &options); err != nil {
		return err
	}
	if !options.Begun {
		return options.begin(NeighbourCommand)
	}
	go func() {
		for {
			used()
		}
	}()
	return obey(func(struct{}) (any, error) { return nil, nil })
}
