import type {
  ConfigurationOptions,
  RequestContext,
  V1EndpointSlice,
  V1Pod,
  V1ResourceAttributes,
  V1Secret,
  V1Service,
  VersionInfo,
} from "@kubernetes/client-node";
import type { KubernetesObject } from "../view/objects.ts";
import { KubernetesError } from "./error.ts";
import { readTextOf, type Transport } from "./transport.ts";
import type { Turns } from "./turns.ts";

/** The field manager of all fields that Fairlead sets. */
export const fieldManager = "fairlead";

export type ObjectName = { namespace: string; name: string };

export type Removed = {
  wasThere: boolean;
  /** The object, if finalizers still hold it. */
  left: KubernetesObject | null;
};

/**
 * KubernetesCalls are the requests for single objects. An apply sets fields of an object and owns them (server-side apply); a patch
 * merges into an object (JSON merge patch); a removal only deletes the object with this UID.
 */
export type KubernetesCalls = {
  readVersion(signal: AbortSignal): Promise<VersionInfo | null>;
  isAllowed(action: V1ResourceAttributes, signal: AbortSignal): Promise<boolean>;
  readService(service: ObjectName, signal: AbortSignal): Promise<KubernetesObject>;
  applyService(service: Applied<V1Service>, signal: AbortSignal): Promise<KubernetesObject>;
  patchService(service: ObjectName, patch: object, signal: AbortSignal): Promise<KubernetesObject>;
  removeService(service: ObjectName & { uid: string }, signal: AbortSignal): Promise<Removed>;
  patchPod(pod: ObjectName, patch: object, signal: AbortSignal): Promise<KubernetesObject>;
  readEndpointSlice(slice: ObjectName, signal: AbortSignal): Promise<KubernetesObject>;
  applyEndpointSlice(slice: Applied<V1EndpointSlice>, signal: AbortSignal): Promise<KubernetesObject>;
  removeEndpointSlice(slice: ObjectName & { uid: string }, signal: AbortSignal): Promise<Removed>;
  readSecret(secret: ObjectName, signal: AbortSignal): Promise<KubernetesObject>;
  applySecret(secret: Applied<V1Secret>, signal: AbortSignal): Promise<KubernetesObject>;
  patchSecret(secret: ObjectName, patch: object, signal: AbortSignal): Promise<KubernetesObject>;
  removeSecret(secret: ObjectName & { uid: string }, signal: AbortSignal): Promise<Removed>;
};

type Applied<T> = T & { metadata: ObjectName };

const merge = "application/merge-patch+json";
/** JSON is valid YAML; an apiserver requires this type for an apply. */
const apply = "application/apply-patch+yaml";

/** openCalls sends the Kubernetes library's requests over our own transport. Calls take turns where turns are given. */
export function openCalls(transport: Transport, turns: Turns | null): KubernetesCalls {
  let loading: ReturnType<typeof open> | null = null;
  /** A failure to load is reported by the call, and the next one tries again. */
  async function opened() {
    loading ??= open();
    return loading.catch((error: unknown) => {
      loading = null;
      throw error;
    });
  }

  async function open() {
    // Loading it takes most of a second and 90 MB, so it is loaded only if Kubernetes is used.
    const { wrapHttpLibrary, createConfiguration, ServerConfiguration, ResponseContext, ...library } = await import(
      "@kubernetes/client-node"
    );
    const send = async (request: RequestContext, signal: AbortSignal, type?: string) => {
      const { pathname, search } = new URL(request.getUrl());
      const text = request.getBody();
      if (text !== undefined && typeof text !== "string") throw new TypeError("only text is sent to an apiserver");
      const response = await transport.send(`${pathname}${search}`, {
        method: request.getHttpMethod(),
        body: text === undefined ? undefined : { type: type ?? "application/json", text },
        signal,
      });
      const body = await readTextOf(response);
      // Regardless of the header: anything but JSON is a SyntaxError.
      return new ResponseContext(
        response.status,
        { "content-type": "application/json" },
        {
          text: async () => body,
          binary: async () => Buffer.from(body),
          stream: () => null,
        },
      );
    };
    const configuration = createConfiguration({
      // The transport sets the real server.
      baseServer: new ServerConfiguration("https://apiserver.invalid", {}),
    });
    return {
      core: new library.CoreV1Api(configuration),
      discovery: new library.DiscoveryV1Api(configuration),
      authorization: new library.AuthorizationV1Api(configuration),
      version: new library.VersionApi(configuration),
      /** by returns options for a request that stops with the signal, with a body of this type. */
      by: (signal: AbortSignal, type?: string): ConfigurationOptions => ({
        httpApi: wrapHttpLibrary({
          send: (request) =>
            turns ? turns.take(() => send(request, signal, type), signal) : send(request, signal, type),
        }),
      }),
    };
  }

  return {
    async readVersion(signal) {
      const { version, by } = await opened();
      return version.getCode({}, by(signal));
    },
    async isAllowed(resourceAttributes, signal) {
      const { authorization, by } = await opened();
      const body = { spec: { resourceAttributes } };
      const { status } = await authorization.createSelfSubjectAccessReview({ body }, by(signal));
      return status?.allowed === true;
    },
    async readService(service, signal) {
      const { core, by } = await opened();
      return received(await core.readNamespacedService(named(service), by(signal)));
    },
    async applyService(service, signal) {
      const { core, by } = await opened();
      const request = { ...named(service.metadata), body: service, fieldManager, force: true };
      return received(await core.patchNamespacedService(request, by(signal, apply)));
    },
    async patchService(service, body, signal) {
      const { core, by } = await opened();
      const request = { ...named(service), body, fieldManager };
      return received(await core.patchNamespacedService(request, by(signal, merge)));
    },
    async removeService({ uid, ...service }, signal) {
      const { core, by } = await opened();
      return removal(core.deleteNamespacedService({ ...named(service), body: onlyWith(uid) }, by(signal)));
    },
    async patchPod(pod, body, signal) {
      const { core, by } = await opened();
      return received(await core.patchNamespacedPod({ ...named(pod), body, fieldManager }, by(signal, merge)));
    },
    async readEndpointSlice(slice, signal) {
      const { discovery, by } = await opened();
      return received(await discovery.readNamespacedEndpointSlice(named(slice), by(signal)));
    },
    async applyEndpointSlice(slice, signal) {
      const { discovery, by } = await opened();
      const request = { ...named(slice.metadata), body: slice, fieldManager, force: true };
      return received(await discovery.patchNamespacedEndpointSlice(request, by(signal, apply)));
    },
    async removeEndpointSlice({ uid, ...slice }, signal) {
      const { discovery, by } = await opened();
      return removal(discovery.deleteNamespacedEndpointSlice({ ...named(slice), body: onlyWith(uid) }, by(signal)));
    },
    async readSecret(secret, signal) {
      const { core, by } = await opened();
      return received(await core.readNamespacedSecret(named(secret), by(signal)));
    },
    async applySecret(secret, signal) {
      const { core, by } = await opened();
      const request = { ...named(secret.metadata), body: secret, fieldManager, force: true };
      return received(await core.patchNamespacedSecret(request, by(signal, apply)));
    },
    async patchSecret(secret, body, signal) {
      const { core, by } = await opened();
      return received(await core.patchNamespacedSecret({ ...named(secret), body, fieldManager }, by(signal, merge)));
    },
    async removeSecret({ uid, ...secret }, signal) {
      const { core, by } = await opened();
      return removal(core.deleteNamespacedSecret({ ...named(secret), body: onlyWith(uid) }, by(signal)));
    },
  };
}

function named({ namespace, name }: ObjectName): ObjectName {
  return { namespace, name };
}

function onlyWith(uid: string) {
  return { preconditions: { uid }, propagationPolicy: "Background" };
}

/** A deletion returns a Status, or the object while it has finalizers. */
async function removal(deleted: Promise<{ metadata?: object }>): Promise<Removed> {
  try {
    const left = await deleted;
    const isHeld = (left as V1Service).metadata?.finalizers?.length;
    return { wasThere: true, left: isHeld ? received(left) : null };
  } catch (error) {
    if (error instanceof KubernetesError && (error.status === 404 || error.status === 409))
      return { wasThere: false, left: null };
    throw error;
  }
}

/** received converts an object to the form of lists and watches: plain, with times as text. It is compared with theirs. */
function received(object: V1Pod | V1Service | V1EndpointSlice | V1Secret): KubernetesObject {
  const { name, uid, resourceVersion } = object.metadata ?? {};
  if (!name || !uid || !resourceVersion) throw new SyntaxError("an object without a name, a UID or a version");
  const text = JSON.stringify(object, function (this: Record<string, unknown>, key, value: unknown) {
    const time = this[key];
    // An apiserver writes times in whole seconds, a Date in milliseconds.
    return time instanceof Date ? time.toISOString().replace(".000Z", "Z") : value;
  });
  return JSON.parse(text) as KubernetesObject;
}
