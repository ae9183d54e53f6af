package genetlink

import (
	"fmt"

	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"
)

// Families returns the names of all families. It loads no kernel module.
func Families() (names []string, err error) {
	messages, err := request(unix.NLM_F_DUMP)
	if err != nil {
		return nil, err
	}
	for _, message := range messages {
		if len(message) < headerLength {
			return nil, fmt.Errorf("a netlink family of %d bytes", len(message))
		}
		attributes, err := nl.ParseRouteAttr(message[headerLength:])
		if err != nil {
			return nil, fmt.Errorf("parse a netlink family: %w", err)
		}
		for _, attribute := range attributes {
			if attribute.Attr.Type == unix.CTRL_ATTR_FAMILY_NAME {
				names = append(names, unix.ByteSliceToString(attribute.Value))
			}
		}
	}
	return names, nil
}

// Request fails if the kernel doesn't have a family. The kernel may load its module.
func Request(name string) error {
	_, err := request(0, nl.NewRtAttr(unix.CTRL_ATTR_FAMILY_NAME, nl.ZeroTerminated(name)))
	return err
}

func request(flags int, attributes ...nl.NetlinkRequestData) ([][]byte, error) {
	message := nl.NewNetlinkRequest(unix.GENL_ID_CTRL, flags)
	message.AddData(getFamily{})
	for _, attribute := range attributes {
		message.AddData(attribute)
	}
	return message.Execute(unix.NETLINK_GENERIC, 0)
}

const headerLength = 4

// getFamily is struct genlmsghdr: the command, the version, and two reserved bytes.
type getFamily struct{}

func (getFamily) Len() int          { return headerLength }
func (getFamily) Serialize() []byte { return []byte{unix.CTRL_CMD_GETFAMILY, 2, 0, 0} }
