// What nodes for tests run besides Kubernetes, and what runs in their pods; tools/kubernetes/main.ts builds it.
module fairlead.dev/tools/node

go 1.26.0

require golang.org/x/sys v0.49.0
