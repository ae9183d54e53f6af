import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import {
  createAll,
  type KubernetesObject,
  type Nodes,
  podsOf,
  withLibraries,
} from "@fairlead/drivers/kubernetes-testing";
import { parseAllDocuments } from "yaml";

export const tlsPort = 443;
const image = "example.test/nginx:1";
const nginx = "/usr/sbin/nginx";

/** Without ticket keys: each server makes its own when it starts. The answer is the pod's name. */
const settings = `
daemon off;
user root;
worker_processes 2;
pid /tmp/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((each) => `  ${each}_temp_path /tmp/${each};`).join("\n")}
  server {
    listen ${tlsPort} ssl;
    ssl_certificate /etc/nginx/tls/tls.crt;
    ssl_certificate_key /etc/nginx/tls/tls.key;
    location / { return 200 $hostname; }
  }
}
`;

/** deployNginx creates a Deployment of nginx as it is packaged, with a certificate and nothing for Fairlead. */
export async function deployNginx(nodes: Nodes, name: string, replicas: number): Promise<void> {
  const { api } = nodes.control;
  await nodes.addImage(image, {
    files: withLibraries(nginx),
    entrypoint: [nginx, "-e", "stderr", "-c", "/etc/nginx/conf/nginx.conf"],
  });
  const metadata = { name };
  await api.create("/api/v1/namespaces/default/configmaps", { metadata, data: { "nginx.conf": settings } });
  await api.create("/api/v1/namespaces/default/secrets", {
    ...{ metadata, type: "kubernetes.io/tls" },
    stringData: certificate(path.join(nodes.folder, name)),
  });
  const container = {
    ...{ name: "nginx", image, ports: [{ containerPort: tlsPort }] },
    readinessProbe: { tcpSocket: { port: tlsPort }, periodSeconds: 1 },
    volumeMounts: [
      { name: "settings", mountPath: "/etc/nginx/conf" },
      { name: "tls", mountPath: "/etc/nginx/tls" },
    ],
  };
  const volumes = [
    { name: "settings", configMap: { name } },
    { name: "tls", secret: { secretName: name } },
  ];
  const { spec } = podsOf(name, replicas, container, volumes) as { spec: Record<string, unknown> };
  const { serviceName: _, podManagementPolicy: __, ...deployment } = spec;
  await api.create("/apis/apps/v1/namespaces/default/deployments", { metadata, spec: deployment });
}

const guides = path.resolve(import.meta.dirname, "../../../../../deploy/kubernetes");

type Deployment = KubernetesObject & {
  spec: { replicas: number; template: { spec: { containers: object[]; terminationGracePeriodSeconds?: number } } };
};

/** deployManagedNginx creates the guide's Deployment of nginx with managed ticket keys, and the Secret that it mounts. */
export async function deployManagedNginx(nodes: Nodes, name: string): Promise<void> {
  const { api } = nodes.control;
  const image = "example.test/nginx-with-shell:1";
  const programs = [nginx, "/bin/dash", "/usr/bin/readlink", "/usr/bin/sleep"].flatMap(withLibraries);
  // Its workers run as another user.
  const users = ["/etc/passwd", "/etc/group"].map((file) => ({ from: file, to: file }));
  const files = [...programs, ...users, { from: "/bin/dash", to: "/bin/sh" }];
  await nodes.addImage(image, { files, entrypoint: [nginx] });
  await api.create("/api/v1/namespaces/default/secrets", {
    ...{ metadata: { name }, type: "kubernetes.io/tls" },
    stringData: certificate(path.join(nodes.folder, name)),
  });
  const secret = read("ticket-secret.yaml").replaceAll("NAMESPACE", "default").replaceAll("SECRET", "shop-tickets");
  const text = `${secret}---\n${read("nginx-tickets.yaml")}`.replaceAll("shop", name);
  // As kubectl reads it: 0400 is octal.
  const objects = parseAllDocuments(text, { version: "1.1" }).map((each) => each.toJS() as KubernetesObject);
  for (const each of objects) {
    each.metadata.namespace = "default";
    if (each.kind !== "Deployment") continue;
    const { spec } = (each as Deployment).spec.template;
    const [container] = spec.containers;
    // As in podsOf.
    const here = { image, imagePullPolicy: "Never", resources: { requests: { cpu: "100m" } } };
    spec.containers = [{ ...container, ...here }];
    spec.terminationGracePeriodSeconds = 1;
  }
  await createAll(api, objects);
}

const read = (file: string) => readFileSync(path.join(guides, file), "utf8");

function certificate(file: string): Record<string, string> {
  const [key, crt] = [`${file}.key`, `${file}.crt`];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj", "/CN=shop"];
  execFileSync("openssl", ["req", "-x509", ...kind, "-keyout", key, "-out", crt], { stdio: "pipe" });
  return { "tls.key": readFileSync(key, "utf8"), "tls.crt": readFileSync(crt, "utf8") };
}
