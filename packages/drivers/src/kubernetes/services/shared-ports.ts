import { isSix } from "@fairlead/domain/address";
import type { DesiredExposure, ExposedPort } from "@fairlead/domain/exposure";
import type { V1OwnerReference } from "@kubernetes/client-node";
import type { Service } from "../view/objects.ts";
import { endpointsBy, exposureLabel, loadBalancerLabel, managedBy, spellProtocol, us } from "./marks.ts";
import type { PickedInstance } from "./pick-instances.ts";
import { shorten } from "./shorten.ts";
import type { WantedService } from "./wanted-service.ts";

// One address for all instances, with different ports: a Service without a selector, and endpoints that Fairlead writes.

const mostPort = 65_535;

/** numberOf returns the port offset of an instance: the number at the end of its name, which is stable. */
export function numberOf(instance: string): number | null {
  const digits = /-(\d{1,5})$/.exec(instance)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** externalPortOf returns the external port of an instance, counted from the port in the spec; null if it is out of range. */
export function externalPortOf({ port }: Pick<ExposedPort, "port">, instance: string): number | null {
  const number = numberOf(instance);
  return number === null || port + number > mostPort ? null : port + number;
}

/** portNameOf returns the name of a port in Kubernetes, which has 15 characters at most. */
export function portNameOf({ name, port, protocol }: Pick<ExposedPort, "name" | "port" | "protocol">): string {
  return name && name.length <= 15 ? name : `${protocol}-${port}`;
}

function sharedNameOf(port: ExposedPort, external: number): string {
  return `${port.protocol}-${external}`;
}

/** sharedPortsOf returns the ports of the shared Service: each port of the spec, once per instance. */
export function sharedPortsOf(
  { ports }: Pick<DesiredExposure, "ports">,
  instances: readonly PickedInstance[],
): WantedService["spec"]["ports"] {
  return instances.flatMap(({ name }) =>
    ports.flatMap((port) => {
      const external = externalPortOf(port, name);
      if (external === null) return [];
      const { protocol, targetPort = port.port } = port;
      return [{ name: sharedNameOf(port, external), protocol: spellProtocol(protocol), port: external, targetPort }];
    }),
  );
}

export type WantedSlice = {
  apiVersion: "discovery.k8s.io/v1";
  kind: "EndpointSlice";
  metadata: { name: string; namespace: string; labels: Record<string, string>; ownerReferences: V1OwnerReference[] };
  addressType: "IPv4" | "IPv6";
  endpoints: {
    addresses: string[];
    conditions: { ready: boolean; serving: boolean; terminating: boolean };
    nodeName?: string;
    targetRef: object;
  }[];
  ports: { name: string; protocol: string; port: number }[];
};

/** wantSlices returns the endpoints of the shared Service: one slice per instance and family, because each instance has its own ports. */
export function wantSlices(
  { id, workload: { namespace }, ports }: DesiredExposure,
  loadBalancerId: string,
  service: Pick<Service, "name" | "uid">,
  instances: readonly PickedInstance[],
): WantedSlice[] {
  return instances.flatMap(({ name, pod }) => {
    if (!pod) return [];
    const { ready, terminating, nodeName, uid } = pod;
    const open = ports.flatMap((port) => {
      const external = externalPortOf(port, name);
      const { protocol, targetPort = port.port } = port;
      return external === null
        ? []
        : [{ name: sharedNameOf(port, external), protocol: spellProtocol(protocol), port: targetPort }];
    });
    if (open.length === 0) return [];
    return pod.addresses.map((address): WantedSlice => {
      const addressType = isSix(address) ? "IPv6" : "IPv4";
      return {
        apiVersion: "discovery.k8s.io/v1",
        kind: "EndpointSlice",
        metadata: {
          name: shorten(`${service.name}-${name}-${addressType.toLowerCase()}`, 63),
          namespace,
          labels: {
            "kubernetes.io/service-name": service.name,
            [endpointsBy]: us,
            [managedBy]: us,
            [exposureLabel]: id,
            [loadBalancerLabel]: loadBalancerId,
          },
          ownerReferences: [{ apiVersion: "v1", kind: "Service", name: service.name, uid: service.uid }],
        },
        addressType,
        endpoints: [
          {
            addresses: [address],
            conditions: { ready: ready && !terminating, serving: ready, terminating },
            ...(nodeName ? { nodeName } : {}),
            targetRef: { kind: "Pod", namespace, name: pod.name, uid },
          },
        ],
        ports: open,
      };
    });
  });
}
