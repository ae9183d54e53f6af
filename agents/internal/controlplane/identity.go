package controlplane

import (
	"crypto/ecdsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fairlead.dev/agents/internal/atomicfile"
)

// identityFile holds the key and certificates together, because a crash between two files would
// leave a certificate without its key.
const identityFile = "identity.json"

// Identity is the agent's private key and its certificates from the control plane.
type Identity struct {
	AgentID     string
	NodeID      string
	ClusterID   string
	Key         *ecdsa.PrivateKey
	Certificate *x509.Certificate
	Authority   *x509.Certificate
}

// storedIdentity is the file's form. Byte slices are DER.
type storedIdentity struct {
	AgentID     string `json:"agentId"`
	NodeID      string `json:"nodeId"`
	ClusterID   string `json:"clusterId"`
	Key         []byte `json:"key"`
	Certificate []byte `json:"certificate"`
	Authority   []byte `json:"authority"`
}

// LoadIdentity reads the identity in a state folder. It returns [os.ErrNotExist] if the agent was
// never enrolled.
func LoadIdentity(folder string) (*Identity, error) {
	path := filepath.Join(folder, identityFile)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the identity: %w", err)
	}
	var stored storedIdentity
	if err := json.Unmarshal(data, &stored); err != nil {
		return nil, fmt.Errorf("%s is damaged; delete it and enrol with a new token: %w", path, err)
	}
	identity, err := stored.parse()
	if err != nil {
		return nil, fmt.Errorf("%s is damaged; delete it and enrol with a new token: %w", path, err)
	}
	return identity, nil
}

// Save stores the identity, readable by its owner only.
func (i *Identity) Save(folder string) error {
	key, err := x509.MarshalECPrivateKey(i.Key)
	if err != nil {
		return fmt.Errorf("encode the agent's key: %w", err)
	}
	data, err := json.Marshal(storedIdentity{
		AgentID: i.AgentID, NodeID: i.NodeID, ClusterID: i.ClusterID,
		Key: key, Certificate: i.Certificate.Raw, Authority: i.Authority.Raw,
	})
	if err != nil {
		return fmt.Errorf("encode the identity: %w", err)
	}
	if err := atomicfile.Write(filepath.Join(folder, identityFile), data, 0o600); err != nil {
		return fmt.Errorf("save the identity: %w", err)
	}
	return nil
}

// ExpiredAt reports whether the control plane would no longer accept it.
func (i *Identity) ExpiredAt(now time.Time) bool { return now.After(i.Certificate.NotAfter) }

// RenewAt is at two thirds of the certificate's lifetime: late enough to be rare, early enough for
// an outage of a third of it.
func (i *Identity) RenewAt() time.Time {
	life := i.Certificate.NotAfter.Sub(i.Certificate.NotBefore)
	return i.Certificate.NotBefore.Add(life / 3 * 2)
}

func (i *Identity) tlsCertificate() tls.Certificate {
	return tls.Certificate{Certificate: [][]byte{i.Certificate.Raw}, PrivateKey: i.Key, Leaf: i.Certificate}
}

func (s storedIdentity) parse() (*Identity, error) {
	key, err := x509.ParseECPrivateKey(s.Key)
	if err != nil {
		return nil, fmt.Errorf("parse the key: %w", err)
	}
	identity := &Identity{AgentID: s.AgentID, NodeID: s.NodeID, ClusterID: s.ClusterID, Key: key}
	return identity.certified(s.Certificate, s.Authority)
}

// certified returns a copy with the given certificates, after checking that they match the key and
// each other.
func (i *Identity) certified(certificate, authority []byte) (*Identity, error) {
	leaf, err := x509.ParseCertificate(certificate)
	if err != nil {
		return nil, fmt.Errorf("parse the agent's certificate: %w", err)
	}
	ca, err := x509.ParseCertificate(authority)
	if err != nil {
		return nil, fmt.Errorf("parse the control plane's CA: %w", err)
	}
	if public, ok := leaf.PublicKey.(*ecdsa.PublicKey); !ok || !public.Equal(i.Key.Public()) {
		return nil, errors.New("the certificate is for another key")
	}
	if err := leaf.CheckSignatureFrom(ca); err != nil {
		return nil, fmt.Errorf("the certificate is not signed by the CA: %w", err)
	}
	copied := *i
	copied.Certificate, copied.Authority = leaf, ca
	return &copied, nil
}
