package flows

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/netip"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// A frame is a length of four bytes, a kind, and the content. Unknown kinds are skipped,
// so that a newer replica can send more.
const (
	frameMostBytes = 64 << 10 // of kind and content
	flowMostBytes  = 1 + 2*(1+16+2) + 1 + idMostBytes
	idMostBytes    = 255
	headerBytes    = 4
)

type kind byte

const (
	kindHello kind = 1 // magic; sent in both directions
	kindFlows kind = 2 // a sequence of flows
	kindWhole kind = 3 // end of a full set
	kindAlive kind = 4 // keepalive

	kindNumber  kind = 5 // number of the newest flow sent so far; requests an acknowledgement
	kindSettled kind = 6 // acknowledgement: the data path uses all flows up to this number. An initial 0 announces that acknowledgements will follow

	kindAges kind = 7 // ages of the flows in the next frame, in order; without this frame they are 0
)

// magic identifies the protocol and the version of the frames.
const magic = "fairlead-flows-1"

var errFrame = errors.New("invalid frame")

// appendFrame adds a frame of a kind with its content.
func appendFrame(to []byte, k kind, content []byte) []byte {
	to = binary.BigEndian.AppendUint32(to, uint32(1+len(content)))
	to = append(to, byte(k))
	return append(to, content...)
}

// readFrame reads one frame into buffer, whose size bounds it.
func readFrame(from io.Reader, buffer []byte) (kind, []byte, error) {
	var header [headerBytes]byte
	if _, err := io.ReadFull(from, header[:]); err != nil {
		return 0, nil, err
	}
	length := binary.BigEndian.Uint32(header[:])
	if length == 0 || uint64(length) > uint64(len(buffer)) {
		return 0, nil, fmt.Errorf("%w: %d bytes long", errFrame, length)
	}
	if _, err := io.ReadFull(from, buffer[:length]); err != nil {
		return 0, nil, err
	}
	return kind(buffer[0]), buffer[1:length], nil
}

// appendFlow writes protocol, service, client and backend. It skips a flow that can't be
// encoded because its backend's ID is too long.
func appendFlow(to []byte, flow datapath.Flow) []byte {
	if len(flow.Backend) > idMostBytes || !flow.Client.IsValid() || !flow.Service.Address.IsValid() {
		return to
	}
	to = append(to, byte(flow.Service.Protocol))
	to = appendEnd(to, flow.Service.Address, flow.Service.Port)
	to = appendEnd(to, flow.Client.Addr(), flow.Client.Port())
	to = append(to, byte(len(flow.Backend)))
	return append(to, flow.Backend...)
}

func appendEnd(to []byte, address netip.Addr, port uint16) []byte {
	bytes := address.Unmap().AsSlice()
	to = append(to, byte(len(bytes)))
	to = append(to, bytes...)
	return binary.BigEndian.AppendUint16(to, port)
}

// parseFlows parses a sequence of flows as appendFlow writes them.
func parseFlows(content []byte) ([]datapath.Flow, error) {
	flows := make([]datapath.Flow, 0, len(content)/20+1)
	for len(content) > 0 {
		flow, rest, ok := parseFlow(content)
		if !ok {
			return nil, fmt.Errorf("%w: flow %d is truncated or invalid", errFrame, len(flows))
		}
		flows, content = append(flows, flow), rest
	}
	return flows, nil
}

func parseFlow(in []byte) (flow datapath.Flow, rest []byte, ok bool) {
	flow.Service.Protocol = datapath.Protocol(in[0])
	if flow.Service.Protocol != datapath.TCP && flow.Service.Protocol != datapath.UDP {
		return flow, nil, false
	}
	service, in, ok := parseEnd(in[1:])
	if !ok {
		return flow, nil, false
	}
	client, in, ok := parseEnd(in)
	if !ok || len(in) == 0 || len(in)-1 < int(in[0]) {
		return flow, nil, false
	}
	flow.Service.Address, flow.Service.Port, flow.Client = service.Addr(), service.Port(), client
	flow.Backend = string(in[1 : 1+int(in[0])])
	return flow, in[1+int(in[0]):], flow.Service.Address.Is4() == flow.Client.Addr().Is4()
}

func parseEnd(in []byte) (end netip.AddrPort, rest []byte, ok bool) {
	if len(in) == 0 || in[0] != 4 && in[0] != 16 || len(in) < 1+int(in[0])+2 {
		return end, nil, false
	}
	size := int(in[0])
	address, _ := netip.AddrFromSlice(in[1 : 1+size])
	end = netip.AddrPortFrom(address, binary.BigEndian.Uint16(in[1+size:]))
	return end, in[1+size+2:], !address.Is4In6()
}
