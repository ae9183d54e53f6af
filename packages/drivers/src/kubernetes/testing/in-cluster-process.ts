import { connect } from "../api.ts";
import { checkPermissions } from "../check-permissions.ts";
import { inClusterFolder } from "../in-cluster.ts";
import { readVersion } from "../read-version.ts";

// What the controller does first in a pod: it asks the cluster around it what it is and what it may, with nothing given to
// it. The only thing that its account may write is Services, so one says what came of it.
const { KUBERNETES_SERVICE_HOST: host = "", KUBERNETES_SERVICE_PORT: port = "" } = process.env;
const api = connect({ type: "in-cluster" }, { host, port, folder: inClusterFolder });
const signal = AbortSignal.timeout(30_000);
const version = await readVersion(api, signal);
const permissions = await checkPermissions(api, signal);
const missing = permissions.filter((each) => each.required && !each.granted);
const { items } = await api.get<{ items: { metadata: { name: string } }[] }>("/api/v1/pods", { signal });
const seen = { version, missing, asked: permissions.length, pods: items.map(({ metadata }) => metadata.name) };
await api.apply("/api/v1/namespaces/default/services/seen", {
  ...{ apiVersion: "v1", kind: "Service" },
  metadata: { name: "seen", annotations: { seen: JSON.stringify(seen) } },
  spec: { ports: [{ port: 80 }] },
});
await api.close();
