package topology

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// value is a node of the document with its path, so that every error can name the field.
type value struct {
	path string
	node *yaml.Node
}

// fields maps a field's name to what takes its value.
type fields map[string]func(value) error

func (v value) errorf(format string, arguments ...any) error {
	return fmt.Errorf("line %d: %s: %s", v.node.Line, v.path, fmt.Sprintf(format, arguments...))
}

func (v value) object(known fields) error {
	if err := v.must(yaml.MappingNode, "fields, one per line, such as \"name: value\""); err != nil {
		return err
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(v.node.Content); i += 2 {
		key := v.node.Content[i].Value
		field := value{path: v.child(key), node: v.node.Content[i+1]}
		take, ok := known[key]
		switch {
		case !ok:
			return field.errorf("unknown field: use %s", oneOf(sortedKeys(known)))
		case seen[key]:
			return field.errorf("it is set twice: remove one of them")
		}
		seen[key] = true
		if err := take(field); err != nil {
			return err
		}
	}
	return nil
}

func (v value) child(key string) string {
	if v.path == "topology" {
		return key
	}
	return v.path + "." + key
}

func (v value) list(most int, each func(value) error) error {
	if err := v.must(yaml.SequenceNode, "a list, each entry after a dash"); err != nil {
		return err
	}
	if len(v.node.Content) > most {
		return v.errorf("%d entries are too many: a lab holds at most %d", len(v.node.Content), most)
	}
	for i, node := range v.node.Content {
		if err := each(value{path: fmt.Sprintf("%s[%d]", v.path, i), node: node}); err != nil {
			return err
		}
	}
	return nil
}

func (v value) must(kind yaml.Kind, form string) error {
	if v.node.Kind == yaml.AliasNode {
		return v.errorf("aliases (*) aren't supported: write the value")
	}
	if v.node.Kind != kind {
		return v.errorf("write %s", form)
	}
	return nil
}

// The following return a parser for a field of one type.

func text(into *string) func(value) error {
	return func(v value) error {
		err := v.must(yaml.ScalarNode, "one word")
		*into = v.node.Value
		return err
	}
}

func word[T ~string](into *T, allowed ...T) func(value) error {
	return func(v value) error {
		if err := v.must(yaml.ScalarNode, oneOf(allowed)); err != nil {
			return err
		}
		if *into = T(v.node.Value); !slices.Contains(allowed, *into) {
			return v.errorf("%q is not supported: use %s", v.node.Value, oneOf(allowed))
		}
		return nil
	}
}

func texts(into *[]string) func(value) error {
	return func(v value) error {
		*into = []string{}
		return v.list(64, func(entry value) error {
			var one string
			err := text(&one)(entry)
			*into = append(*into, one)
			return err
		})
	}
}

func number[T int | uint16 | uint32](into *T, from, to T) func(value) error {
	return func(v value) error {
		n, err := strconv.ParseInt(v.node.Value, 10, 64)
		if v.node.Kind != yaml.ScalarNode || err != nil || n < int64(from) || n > int64(to) {
			return v.errorf("write a whole number from %d to %d", from, to)
		}
		*into = T(n)
		return nil
	}
}

func fraction(into *float64, least, most float64, form string) func(value) error {
	return func(v value) error {
		written, percent := strings.CutSuffix(v.node.Value, "%")
		f, err := strconv.ParseFloat(written, 64)
		if percent {
			f /= 100
		}
		if v.node.Kind != yaml.ScalarNode || err != nil || !(f >= least && f <= most) {
			return v.errorf("write %s", form)
		}
		*into = f
		return nil
	}
}

func yes(into *bool) func(value) error {
	return func(v value) error {
		if v.node.Value != "true" && v.node.Value != "false" {
			return v.errorf("write true or false")
		}
		*into = v.node.Value == "true"
		return nil
	}
}

func duration(into *time.Duration, from, to time.Duration) func(value) error {
	return func(v value) error {
		d, err := time.ParseDuration(v.node.Value)
		if v.node.Kind != yaml.ScalarNode || err != nil || d < from || d > to {
			return v.errorf("write a duration from %s to %s, such as %s", from, to, min(to, max(from, 20*time.Millisecond)))
		}
		*into = d
		return nil
	}
}

func prefix(into *netip.Prefix, example string) func(value) error {
	form := netip.MustParsePrefix(example)
	return func(v value) error {
		p, err := netip.ParsePrefix(v.node.Value)
		if err != nil || p.Bits() != form.Bits() || p.Addr().BitLen() != form.Addr().BitLen() || p != p.Masked() {
			return v.errorf("write a prefix of /%d, such as %s", form.Bits(), example)
		}
		*into = p
		return nil
	}
}

func address(into *netip.Addr) func(value) error {
	return func(v value) error {
		a, err := netip.ParseAddr(v.node.Value)
		if err != nil || a.Zone() != "" || a.Is4In6() {
			return v.errorf("%q is not an address: write one such as 203.0.113.7", v.node.Value)
		}
		*into = a
		return nil
	}
}

func oneOf[T ~string](words []T) string {
	texts := make([]string, len(words))
	for i, word := range words {
		texts[i] = string(word)
	}
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	last := len(texts) - 1
	return strings.Join(texts[:last], ", ") + " or " + texts[last]
}

func sortedKeys(known fields) []string {
	keys := make([]string, 0, len(known))
	for key := range known {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
