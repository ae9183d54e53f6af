package health

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"

	"google.golang.org/protobuf/encoding/protowire"
)

const (
	grpcHealthPath = "/grpc.health.v1.Health/Check"
	grpcServing    = 1 // HealthCheckResponse.ServingStatus
	grpcFrameBytes = 5 // one byte "compressed", four of length
)

// checkGRPC implements just enough gRPC for its health protocol, which saves the agent a
// dozen packages: two messages of one field each.
func (p Prober) checkGRPC(ctx context.Context, target Target) error {
	// Dialled and closed here: a transport would continue either after ctx ends.
	conn, err := p.dial(ctx, "tcp", target)
	if err != nil {
		return err
	}
	defer conn.Close()
	transport := &http.Transport{
		DialContext: func(context.Context, string, string) (net.Conn, error) { return conn, nil },
		Protocols:   new(http.Protocols),
	}
	transport.Protocols.SetUnencryptedHTTP2(true)

	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+target.AddrPort().String()+grpcHealthPath,
		bytes.NewReader(grpcRequest(target.Check.Path)))
	if err != nil {
		return err
	}
	if target.Check.Host != "" {
		request.Host = target.Check.Host
	}
	request.Header.Set("Content-Type", "application/grpc")
	request.Header.Set("Te", "trailers")
	request.Header.Set("User-Agent", "fairlead-health")
	response, err := transport.RoundTrip(request)
	if err != nil {
		return fmt.Errorf("sent no HTTP/2 response: %w", err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, answerMostBytes))
	if err != nil {
		return err
	}
	return grpcAnswer(response, body)
}

func grpcRequest(service string) []byte {
	var message []byte
	if service != "" {
		message = protowire.AppendTag(message, 1, protowire.BytesType)
		message = protowire.AppendString(message, service)
	}
	frame := binary.BigEndian.AppendUint32([]byte{0}, uint32(len(message)))
	return append(frame, message...)
}

func grpcAnswer(response *http.Response, body []byte) error {
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("answered %s", response.Status)
	}
	status := response.Trailer.Get("Grpc-Status")
	if status == "" {
		status = response.Header.Get("Grpc-Status") // a response without a message has no trailer of its own
	}
	switch status {
	case "0":
	case "5":
		return errors.New("has no health status for the requested service (NOT_FOUND)")
	case "12":
		return errors.New("has no gRPC health service (UNIMPLEMENTED)")
	case "":
		return errors.New("sent no gRPC response")
	default:
		return fmt.Errorf("answered gRPC status %s", status)
	}
	serving, err := parseGRPC(body)
	if err != nil {
		return err
	}
	if serving != grpcServing {
		return fmt.Errorf("reports that it is not serving (status %d)", serving)
	}
	return nil
}

var errNoMessage = errors.New("sent a response that isn't a message of the gRPC health protocol")

// parseGRPC parses the status of a HealthCheckResponse.
func parseGRPC(body []byte) (status uint64, err error) {
	if len(body) < grpcFrameBytes || body[0] != 0 || uint64(binary.BigEndian.Uint32(body[1:])) != uint64(len(body)-grpcFrameBytes) {
		return 0, errNoMessage
	}
	for message := body[grpcFrameBytes:]; len(message) > 0; {
		number, kind, size := protowire.ConsumeTag(message)
		if size < 0 {
			return 0, errNoMessage
		}
		message = message[size:]
		if number == 1 && kind == protowire.VarintType {
			status, size = protowire.ConsumeVarint(message)
		} else {
			size = protowire.ConsumeFieldValue(number, kind, message)
		}
		if size < 0 {
			return 0, errNoMessage
		}
		message = message[size:]
	}
	return status, nil
}
