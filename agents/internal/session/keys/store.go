package keys

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"fairlead.dev/agents/internal/atomicfile"
)

// stored is a rotation as a file has it: the only form with secrets.
type stored struct {
	Phase    Phase          `json:"phase"`
	Epochs   []storedEpoch  `json:"epochs"`
	Revision uint64         `json:"revision"`
	Since    time.Time      `json:"since"`
	Lifetime time.Duration  `json:"lifetimeNanoseconds"`
	DropAt   time.Time      `json:"dropAt"`
	Members  []storedMember `json:"members"`
	Away     []storedSpan   `json:"away"`
}

type storedEpoch struct {
	Number uint64 `json:"number"`
	Secret []byte `json:"secret"`
}

type storedMember struct {
	Member
	Acknowledged uint64 `json:"acknowledged"`
	Epoch        uint64 `json:"epoch"`
}

type storedSpan struct {
	Server string `json:"server"`
	Oldest uint64 `json:"oldest"`
	Newest uint64 `json:"newest"`
}

// Save replaces the file of a rotation. Only its owner can read it.
func Save(path string, r Rotation) error {
	text, err := encode(r)
	if err != nil {
		return fmt.Errorf("encode the rotation of ticket keys: %w", err)
	}
	return atomicfile.Write(path, text, filePermissions)
}

// Load reads the file of a rotation.
func Load(path string) (Rotation, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Rotation{}, fmt.Errorf("read the rotation of ticket keys: %w", err)
	}
	r, err := decode(text)
	if err != nil {
		return Rotation{}, fmt.Errorf("parse the rotation of ticket keys in %s: %w", path, err)
	}
	return r, nil
}

func encode(r Rotation) ([]byte, error) {
	s := stored{Phase: r.Phase, Revision: r.Revision, Since: r.Since, Lifetime: r.Lifetime, DropAt: r.DropAt}
	for _, epoch := range r.Epochs {
		s.Epochs = append(s.Epochs, storedEpoch{Number: epoch.Number, Secret: epoch.secret.reveal()})
	}
	for member, has := range r.members {
		s.Members = append(s.Members, storedMember{Member: member, Acknowledged: has.revision, Epoch: has.epoch})
	}
	for server, epochs := range r.away {
		s.Away = append(s.Away, storedSpan{Server: server, Oldest: epochs.oldest, Newest: epochs.newest})
	}
	slices.SortFunc(s.Members, func(a, b storedMember) int { return compareMembers(a.Member, b.Member) })
	slices.SortFunc(s.Away, func(a, b storedSpan) int { return cmp.Compare(a.Server, b.Server) })
	return json.Marshal(s)
}

func decode(text []byte) (Rotation, error) {
	var s stored
	if json.Unmarshal(text, &s) != nil {
		return Rotation{}, errors.New("invalid JSON") // the cause could quote a part of a secret
	}
	if err := s.check(); err != nil {
		return Rotation{}, err
	}
	r := Rotation{
		Phase: s.Phase, Revision: s.Revision, Since: s.Since, Lifetime: s.Lifetime, DropAt: s.DropAt,
		members: map[Member]progress{}, away: map[string]span{},
	}
	for _, epoch := range s.Epochs {
		r.Epochs = append(r.Epochs, Epoch{Number: epoch.Number, secret: hide(epoch.Secret)})
	}
	for _, member := range s.Members {
		r.members[member.Member] = progress{revision: member.Acknowledged, epoch: member.Epoch}
	}
	for _, server := range s.Away {
		r.away[server.Server] = span{oldest: server.Oldest, newest: server.Newest}
	}
	return r, nil
}

func (s stored) check() error {
	epochs, isKnown := map[Phase]int{Idle: 1, Adding: 2, Switching: 2, Retiring: 2}[s.Phase]
	if !isKnown {
		return fmt.Errorf("unknown phase %q", s.Phase)
	}
	if len(s.Epochs) != epochs {
		return fmt.Errorf("%d epochs in phase %s, expected %d", len(s.Epochs), s.Phase, epochs)
	}
	for _, epoch := range s.Epochs {
		if len(epoch.Secret) != secretBytes {
			return fmt.Errorf("the secret of epoch %d has %d bytes, expected %d", epoch.Number, len(epoch.Secret), secretBytes)
		}
	}
	return nil
}
