import { connect, type Socket } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import postgres from "postgres";
import { startFault } from "#server/platform/start-fault";
import { secondMs } from "#server/platform/time";
import type { DatabaseAddress, Place } from "./address";
import { databaseUnavailable } from "./error-codes";
import { formats, untrackedFormats } from "./pool-settings";

/** One connection, made at its first query. We own its socket, so a silent one can be destroyed. */
export interface Connection {
  readonly client: postgres.Sql;
  /** Time of the last successful login; milliseconds of the monotonic clock, 0 before the first. */
  readyAt(): number;
  destroy(reason: Error): void;
  end(milliseconds: number): Promise<void>;
}

/** Servers of an address, and the last one that accepted us: all connections begin with it. */
export interface Servers {
  readonly address: DatabaseAddress;
  preferred: number;
  /**
   * Behind a pooler each transaction may use another server connection, without our prepared
   * statements.
   */
  readonly pooled?: boolean;
  /** Set after a pooler rejected a parameter: connections then omit `untrackedFormats`. */
  sparing?: boolean;
}

export interface ConnectionOptions {
  readonly servers: Servers;
  /** Sent when the connection starts; the address overrides them, except for formats. */
  readonly parameters: Readonly<Record<string, string | number>>;
  readonly onMessage?: (channel: string, payload: string) => void;
  /** Also for each failed attempt to connect. */
  readonly onClose?: () => void;
}

const connectionClosed = () =>
  databaseUnavailable("CONNECTION_CLOSED", "The connection to the database was closed.");

/** The patch that this release needs: the first digits of a digest of `patches/postgres+3.4.9.patch`. */
export const driverPatch = "27c62c5161da";

/**
 * Unpatched postgres.js continues a transaction after its connection closed, which may end the
 * process or write outside of any transaction.
 * @throws DriverNotPatched
 */
export function assertPatchedDriver(): void {
  if ("adjutantPatch" in postgres && postgres.adjutantPatch === driverPatch) return;
  throw startFault(
    "DriverNotPatched",
    "The PostgreSQL driver lacks the patch of this release: run npm ci without --ignore-scripts, with the folder patches/ beside package.json.",
  );
}

/** Drizzle's value codecs, which it writes into a driver's options. */
export type Codecs = Pick<postgres.Sql["options"], "parsers" | "serializers">;

/** Formats come last: the code relies on them, whatever role, database and address set. */
function startParameters({ servers, parameters }: ConnectionOptions): Record<string, unknown> {
  const isSparing = servers.pooled || servers.sparing;
  const fixed = isSparing ? formats : { ...formats, ...untrackedFormats };
  const isFixed = new Set([...Object.keys(formats), ...Object.keys(untrackedFormats)].map(lower));
  const own = Object.entries(servers.address.parameters).filter(
    ([name]) => !isFixed.has(lower(name)),
  );
  return { ...parameters, ...Object.fromEntries(own), ...fixed };
}

const lower = (text: string): string => text.toLowerCase();

/** Milliseconds per server if there is another one to try. */
const connectTimeout = 1_000;

/** A driver with a pool of one, without time limits and back-off: the pool decides. */
export function openConnection(options: ConnectionOptions, codecs: Codecs): Connection {
  const { servers } = options;
  const { places, user, password, database, tls, sessionAttributes } = servers.address;
  let socket: Socket | undefined;
  /** The current server, the first one tried since the last loss, and the number tried since. */
  let at = servers.preferred;
  let begunWith = at;
  let tried = 0;
  let connectTimer: NodeJS.Timeout | undefined;
  let gone = false;
  let readyAt = 0;
  // The driver retries instead of failing while this names a second host.
  const hosts = places.map(({ host }) => host);
  const giveUpAfterThis = () => hosts.splice(1);

  const openSocket = (): Socket => {
    if (gone) throw connectionClosed();
    if (tried === 0) begunWith = servers.preferred;
    at = (begunWith + tried++) % places.length;
    const { path, host, port } = places[at] as Place;
    const opened = path ? connect(path) : connect({ host, port });
    // The driver reads the TLS server name from here.
    socket = Object.assign(opened, path ? {} : { host, port });
    clearTimeout(connectTimer);
    if (tried >= places.length) giveUpAfterThis();
    else connectTimer = setTimeout(() => opened.destroy(connectionClosed()), connectTimeout);
    // The driver reports server parameters only if they differ from the ones that it knows.
    for (const name of Object.keys(client.parameters)) delete client.parameters[name];
    const openedAt = performance.now();
    // Without an error the driver retries a connection that closes at once, for ever. After a login
    // we pass none: the driver would fail pending work too early and write the next statement to
    // the closed socket.
    opened.once("end", () => opened.destroy(readyAt > openedAt ? undefined : connectionClosed()));
    return opened;
  };
  const driverOptions = {
    host: hosts,
    port: places.map(({ port }) => port),
    ...{ user, pass: password, database },
    ssl: typeof tls === "object" ? { ...tls, checkServerIdentity: identify } : tls,
    max: 1,
    backoff: false,
    connect_timeout: 0,
    prepare: !servers.pooled,
    ...(sessionAttributes && { target_session_attrs: sessionAttributes }),
    connection: startParameters(options),
    onnotice: () => {},
    onparameter: () => {
      readyAt = performance.now();
      servers.preferred = at;
      clearTimeout(connectTimer);
    },
    ...(options.onMessage && { onnotify: options.onMessage, max_lifetime: null }),
    onclose: () => {
      tried = 0;
      hosts.splice(0, Infinity, ...places.map(({ host }) => host));
      options.onClose?.();
    },
    socket: openSocket,
  };
  const client = postgres(driverOptions as unknown as postgres.Options<Record<string, never>>);
  Object.assign(client.options.parsers, codecs.parsers);
  Object.assign(client.options.serializers, codecs.serializers);

  /** If the socket is made in advance, Node checks the server name, but no IP address. */
  function identify(_name: string, certificate: PeerCertificate): Error | undefined {
    if (typeof tls === "object" && tls.anyName) return undefined;
    return checkServerIdentity(places[at]?.host ?? "", certificate);
  }
  return {
    client,
    readyAt: () => readyAt,
    destroy: (reason) => {
      gone = true;
      giveUpAfterThis();
      // A silent server is tried last.
      if (servers.preferred === at) servers.preferred = (at + 1) % places.length;
      // The driver is ended first; otherwise it forgets what it has not sent yet.
      void client.end({ timeout: 0 }).catch(() => {});
      setImmediate(() => socket?.destroy(reason));
    },
    end: async (milliseconds) => {
      await client.end({ timeout: milliseconds / secondMs }).catch(() => {});
      gone = true;
      clearTimeout(connectTimer);
      socket?.destroy();
    },
  };
}
