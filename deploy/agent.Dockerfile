# The node agent: one static binary. Build from the root: docker build -f deploy/agent.Dockerfile .
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY agents/go.mod agents/go.sum ./
COPY agents/internal/bgp/gobgp/channels/ internal/bgp/gobgp/channels/
RUN go mod download
COPY agents .
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /fairlead-agent ./cmd/fairlead-agent

FROM gcr.io/distroless/static-debian12
COPY --from=build /fairlead-agent /fairlead-agent
VOLUME /var/lib/fairlead-agent
ENV FAIRLEAD_STATE=/var/lib/fairlead-agent
ENTRYPOINT ["/fairlead-agent"]
CMD ["node"]
