package churn

import (
	"bytes"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"
)

// MostLoss is the highest loss per cable, in percent. With more, too many connections end by themselves to
// identify those a balancer broke.
const MostLoss = 2

// Lossy adds loss to the cables of all nodes and clients in a topology's text, so that traffic between
// balancers is lost too.
func Lossy(text []byte, percent float64) ([]byte, error) {
	if !(percent >= 0 && percent <= MostLoss) {
		return nil, fmt.Errorf("--loss is %g; give 0 to %d, in percent", percent, MostLoss)
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil || len(document.Content) == 0 || percent == 0 {
		return text, err
	}
	root := document.Content[0].Content
	for i := 0; i+1 < len(root); i += 2 {
		if !slices.Contains([]string{"nodes", "clients"}, root[i].Value) {
			continue
		}
		for _, member := range root[i+1].Content {
			setLoss(member, fmt.Sprintf("%g%%", percent))
		}
	}
	var lossy bytes.Buffer
	encoder := yaml.NewEncoder(&lossy)
	encoder.SetIndent(2)
	if err := encoder.Encode(&document); err != nil {
		return nil, fmt.Errorf("write a topology that loses packets: %w", err)
	}
	return lossy.Bytes(), nil
}

func setLoss(member *yaml.Node, loss string) {
	for i := 0; i+1 < len(member.Content); i += 2 {
		if member.Content[i].Value == "loss" {
			member.Content[i+1].Value = loss
			return
		}
	}
	word := func(text string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: text} }
	member.Content = append(member.Content, word("loss"), word(loss))
}
