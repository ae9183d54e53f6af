package flows

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/netip"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// A frame is its length in four bytes, a kind, and what the kind says. Kinds
// that are not known are skipped, so that a newer replica may say more.
const (
	frameMostBytes = 64 << 10 // of kind and content
	flowMostBytes  = 1 + 2*(1+16+2) + 1 + idMostBytes
	idMostBytes    = 255
	headerBytes    = 4
)

type kind byte

const (
	kindHello kind = 1 // magic, in both directions
	kindFlows kind = 2 // one flow after the other
	kindWhole kind = 3 // all that there were have been told
	kindAlive kind = 4 // nothing new

	kindNumber  kind = 5 // of the newest of the flows before, for which an answer is wanted
	kindSettled kind = 6 // the answer: packets find all flows up to this number. 0 says at first that there will be answers

	kindAges kind = 7 // of the flows in the next frame, one by one; they are new without
)

// magic keeps strangers out and names the version of the frames.
const magic = "fairlead-flows-1"

var errFrame = errors.New("no frame of flows")

// appendFrame adds a frame of a kind with its content.
func appendFrame(to []byte, k kind, content []byte) []byte {
	to = binary.BigEndian.AppendUint32(to, uint32(1+len(content)))
	to = append(to, byte(k))
	return append(to, content...)
}

// readFrame reads into buffer, whose size bounds the frame.
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

// appendFlow writes protocol, service, client and backend. A flow that can't be
// told, its backend's ID being too long, is left out.
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

// parseFlows reads what appendFlow wrote, flow after flow.
func parseFlows(content []byte) ([]datapath.Flow, error) {
	flows := make([]datapath.Flow, 0, len(content)/20+1)
	for len(content) > 0 {
		flow, rest, ok := parseFlow(content)
		if !ok {
			return nil, fmt.Errorf("%w: flow %d is cut off or makes no sense", errFrame, len(flows))
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
