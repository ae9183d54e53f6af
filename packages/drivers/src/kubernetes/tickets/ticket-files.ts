import { mostTicketPods } from "@fairlead/domain/load-balancer";
import type { PodTicketKey, PodTickets } from "../../pod-tickets.ts";

/** Of all pods. No pod's name starts like this. */
const shared = "_all";
const longestEntry = 253;
/** What Node and Go use: 16 bytes for HMAC and 16 for AES-128. */
const shortSecretBytes = 32;
const envoySecretType = "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.Secret";

type Files = [name: string, content: Buffer | string][];

/** ticketFiles returns the entries of a Secret: for each pod a file with its name, and the files that pods share. */
export function ticketFiles({ software, folder, pods }: Pick<PodTickets, "software" | "folder" | "pods">): Files {
  const most = mostTicketPods[software];
  if (pods.length > most)
    throw new Error(
      `it would have the keys of ${pods.length} pods, and a Secret has room for ${most} with ${software}: split the workload, or set names to learned`,
    );
  const files = filesOf(software, folder, pods);
  const long = files.find(([name]) => name.length > longestEntry);
  if (long) throw new Error(`the name ${long[0]} is too long for an entry of a Secret: give the pods a shorter name`);
  return files;
}

function filesOf(software: PodTickets["software"], folder: string, pods: PodTickets["pods"]): Files {
  const all = pods.flatMap((each) => each.keys);
  switch (software) {
    case "nginx":
      return nginxFiles(folder, pods, all);
    case "envoy":
      return pods.map(({ pod, keys }) => [
        `${pod}.json`,
        envoyFile([...keys, ...all.filter((key) => !keys.includes(key))]),
      ]);
    case "go":
      return [
        ...pods.map(({ pod, keys }): Files[number] => [`${pod}.key`, Buffer.concat(keys.map(shortKey))]),
        [`${shared}.key`, Buffer.concat(all.map(shortKey))],
      ];
    case "node":
      return pods.flatMap(({ pod, keys: [own] }): Files => (own ? [[`${pod}.key`, shortKey(own)]] : []));
    case "haproxy":
      return [];
    default:
      return software satisfies never;
  }
}

/** nginx encrypts with the first key, and accepts one that is listed again. */
function nginxFiles(folder: string, pods: PodTickets["pods"], all: readonly PodTicketKey[]): Files {
  const inFolder = (file: string) => quoted(`${folder.replace(/\/+$/, "")}/${file}`);
  const fileOf = ({ name }: PodTicketKey) => `ticket-${name.toString("hex")}.key`;
  const directive = (key: PodTicketKey) => `ssl_session_ticket_key ${inFolder(fileOf(key))};\n`;
  return [
    ...all.map((key): Files[number] => [fileOf(key), Buffer.concat([key.name, key.secret])]),
    ...pods.flatMap(
      ({ pod, keys: [own] }): Files =>
        own ? [[`${pod}.conf`, `${directive(own)}include ${inFolder(`${shared}.conf`)};\n`]] : [],
    ),
    [`${shared}.conf`, all.map(directive).join("")],
  ];
}

/** quoted returns a path as a directive's argument. */
function quoted(path: string): string {
  return /[ ;{}"'\\#$]/.test(path) ? `"${path.replace(/[\\"]/g, "\\$&")}"` : path;
}

function envoyFile(keys: readonly PodTicketKey[]): string {
  const inline = keys.map(({ name, secret }) => ({ inline_bytes: Buffer.concat([name, secret]).toString("base64") }));
  const resource = { "@type": envoySecretType, name: "tickets", session_ticket_keys: { keys: inline } };
  return `${JSON.stringify({ resources: [resource] })}\n`;
}

function shortKey({ name, secret }: PodTicketKey): Buffer {
  return Buffer.concat([name, secret.subarray(0, shortSecretBytes)]);
}
