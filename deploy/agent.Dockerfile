# The node agent: one static binary. Build from the root: docker build -f deploy/agent.Dockerfile .
FROM golang:1.26.8-bookworm AS build
WORKDIR /src
# The modules are a layer of their own: it is built again only when a dependency changes.
COPY agents/go.mod agents/go.sum ./
COPY agents/internal/bgp/gobgp/channels/ internal/bgp/gobgp/channels/
RUN go mod download
COPY agents .
RUN ./build-for "$(go env GOARCH)" /fairlead-agent

# Nothing but the binary: it needs no shell, no C library and no list of public certificate authorities, because it
# trusts only the control plane's own authority. distroless has no versioned tags, so it couldn't be pinned.
FROM scratch
COPY --from=build /fairlead-agent /fairlead-agent
VOLUME /var/lib/fairlead-agent
ENV FAIRLEAD_STATE=/var/lib/fairlead-agent
ENTRYPOINT ["/fairlead-agent"]
CMD ["node"]
