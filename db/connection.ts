import { connect, type Socket } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import postgres from "postgres";
import { startFault } from "#server/platform/start-fault";
import { secondMs } from "#server/platform/time";
import type { DatabaseAddress, DatabaseHost } from "./address";
import { databaseUnavailableError } from "./error-codes";
import { sessionFormats, untrackedFormats } from "./pool-settings";

export type Connection = ReturnType<typeof openConnection>;

/** A new connection first tries the server that last accepted a connection. */
export interface ConnectionTarget {
  readonly address: DatabaseAddress;
  preferred: number;
  /** Behind a pooler a transaction may use a connection without our prepared statements. */
  readonly pooled?: boolean;
  /** True after a pooler rejected a parameter. Connections then omit `untrackedFormats`. */
  sparing?: boolean;
}

export interface ConnectionOptions {
  readonly servers: ConnectionTarget;
  readonly parameters: Readonly<Record<string, string | number>>;
  readonly onMessage?: (channel: string, payload: string) => void;
  /** Called after a failed attempt to connect, too. */
  readonly onClose?: () => void;
}

const connectionClosed = () =>
  databaseUnavailableError("CONNECTION_CLOSED", "The connection to the database was closed.");

/** First digits of a digest of `patches/postgres+3.4.9.patch`. */
export const driverPatchDigest = "27c62c5161da";

/**
 * Unpatched postgres.js continues a transaction after its connection closed.
 * @throws DriverNotPatched
 */
export function assertPatchedDriver(): void {
  if ("adjutantPatch" in postgres && postgres.adjutantPatch === driverPatchDigest) return;
  throw startFault(
    "DriverNotPatched",
    "The PostgreSQL driver lacks the patch of this release: run npm ci without --ignore-scripts, with the folder patches/ beside package.json.",
  );
}

export type Codecs = Pick<postgres.Sql["options"], "parsers" | "serializers">;

/** The address cannot override formats, on which the code relies. */
function startParameters({ servers, parameters }: ConnectionOptions): Record<string, unknown> {
  const isSparing = servers.pooled || servers.sparing;
  const fixed = isSparing ? sessionFormats : { ...sessionFormats, ...untrackedFormats };
  const isFixed = new Set(
    Object.keys({ ...sessionFormats, ...untrackedFormats }).map((name) => name.toLowerCase()),
  );
  const own = Object.entries(servers.address.parameters).filter(
    ([name]) => !isFixed.has(name.toLowerCase()),
  );
  return { ...parameters, ...Object.fromEntries(own), ...fixed };
}

/** Milliseconds; applies while another server is left to try. */
const connectTimeout = 1_000;

/** Connects at the first query. We own the socket, so that a silent connection can be destroyed. */
export function openConnection(options: ConnectionOptions, codecs: Codecs) {
  const { servers } = options;
  const { places, user, password, database, tls, sessionAttributes } = servers.address;
  let socket: Socket | undefined;
  /**
   * `at` is the current server. Since the last loss `begunWith` was tried first, and `tried` in
   * all.
   */
  let at = servers.preferred;
  let begunWith = at;
  let tried = 0;
  let connectTimer: NodeJS.Timeout | undefined;
  let gone = false;
  let readyAt = 0;
  // The driver retries while this list names a second host.
  const hosts = places.map(({ host }) => host);
  const giveUpAfterThis = () => hosts.splice(1);

  const openSocket = (): Socket => {
    if (gone) throw connectionClosed();
    if (tried === 0) begunWith = servers.preferred;
    at = (begunWith + tried++) % places.length;
    const { path, host, port } = places[at] as DatabaseHost;
    const opened = path ? connect(path) : connect({ host, port });
    // The driver reads the TLS server name from the socket.
    socket = Object.assign(opened, path ? {} : { host, port });
    clearTimeout(connectTimer);
    if (tried >= places.length) giveUpAfterThis();
    else connectTimer = setTimeout(() => opened.destroy(connectionClosed()), connectTimeout);
    // The driver reports only changed parameters, so it must forget those of the last login.
    for (const name of Object.keys(client.parameters)) delete client.parameters[name];
    const openedAt = performance.now();
    // Before a login only an error ends the driver's retries. After a login an error would fail
    // pending work too early and write the next statement to the closed socket.
    opened.once("end", () => opened.destroy(readyAt > openedAt ? undefined : connectionClosed()));
    return opened;
  };
  const driverOptions = {
    host: hosts,
    port: places.map(({ port }) => port),
    user,
    pass: password,
    database,
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

  /** Node does not check the IP address of a socket that was made in advance. */
  function identify(_name: string, certificate: PeerCertificate): Error | undefined {
    if (typeof tls === "object" && tls.anyName) return undefined;
    return checkServerIdentity(places[at]?.host ?? "", certificate);
  }
  return {
    client,
    /** Last login in milliseconds of the monotonic clock, or 0. */
    readyAt: () => readyAt,
    destroy: (reason: Error) => {
      gone = true;
      giveUpAfterThis();
      // A silent server is tried last.
      if (servers.preferred === at) servers.preferred = (at + 1) % places.length;
      // Without `end` the driver forgets statements that it has not sent yet.
      void client.end({ timeout: 0 }).catch(() => {});
      setImmediate(() => socket?.destroy(reason));
    },
    end: async (milliseconds: number) => {
      await client.end({ timeout: milliseconds / secondMs }).catch(() => {});
      gone = true;
      clearTimeout(connectTimer);
      socket?.destroy();
    },
  };
}
