import { readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { createSecureContext } from "node:tls";
import { afterAll } from "vitest";
import type { Context } from "#server/context";
import { isPublicAddress } from "#server/platform/public-address";
import type { Network } from "#server/webhooks/connection";
import {
  type AttemptLimits,
  attemptLimits,
  createOutboundClient,
  type OutboundClient,
} from "#server/webhooks/send-attempt";
import { makeAuthority } from "./certificates";
import { type DnsServer, dnsServer } from "./dns-server";
import { type RawReceiver, rawReceiver } from "./raw-receiver";

/** A nameserver, an authority, and the receiver of `https://hooks.test`, all on loopback. */
export interface EndpointNetwork {
  readonly dns: DnsServer;
  readonly receiver: RawReceiver;
  readonly network: Network;
  /** One attempt, with replaceable limits and network. */
  send(
    outgoing?: Partial<Parameters<OutboundClient["send"]>[0]>,
    changes?: { limits?: Partial<AttemptLimits>; network?: Partial<Network> },
  ): ReturnType<OutboundClient["send"]>;
  /** A context with this sends and asks nothing outside of this machine. */
  readonly outside: Pick<Context, "outgoing">;
  certify(name: string, until?: Date): Promise<{ key: string; certificate: string }>;
  readonly authorityFile: string;
}

/** These count as public here, but lead to this machine. */
const publicHere = ["127.0.0.1", "127.0.0.2", "127.0.0.3", "::1"];

/** @param host of the receiver's certificate */
export async function endpointNetwork(host = "hooks.test"): Promise<EndpointNetwork> {
  const dns = await dnsServer();
  const authority = await makeAuthority();
  afterAll(() => rmSync(authority.folder, { recursive: true }));
  const certify = (name: string, until?: Date) =>
    authority.issue([{ type: "dns", value: name }], undefined, until);
  const receiver = await rawReceiver({ certificate: await certify(host) });
  const context = createSecureContext({ ca: readFileSync(authority.file) });
  const network: Network = {
    resolver: dns.resolver,
    isPublic: (address) => publicHere.includes(address) || isPublicAddress(address),
    connect: ({ host, port }) => connect({ host, port: port === 443 ? receiver.port : port }),
    secureContext: () => context,
  };
  const settings = { baseUrl: "https://adjutant.example", webhookLoopback: "refused" } as const;
  return {
    dns,
    receiver,
    network,
    certify,
    authorityFile: authority.file,
    outside: { outgoing: createOutboundClient({ settings, network }) },
    send: (outgoing, changes) =>
      createOutboundClient({
        settings,
        network: { ...network, ...changes?.network },
        limits: { ...attemptLimits, ...changes?.limits },
      }).send({
        url: "https://hooks.test/in?tenant=1",
        body: '{"a":"ü"}',
        headers: () => ({}),
        ...outgoing,
      }),
  };
}
