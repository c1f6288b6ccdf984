import { connect, type Socket } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import postgres from "postgres";
import { startFault } from "#server/platform/start-fault";
import { secondMs } from "#server/platform/time";
import type { DatabaseAddress, Place } from "./address";
import { databaseUnavailable } from "./error-codes";
import { formats, untrackedFormats } from "./pool-settings";

/** One connection to PostgreSQL, made at its first query. Its socket is ours, so that a silent one can be destroyed. */
export interface Connection {
  readonly client: postgres.Sql;
  /** When the server let us in the last time; milliseconds of the monotonic clock, 0 before the first. */
  readyAt(): number;
  /** Destroys the socket at once. Everything under way fails with `reason`, and nothing runs here any more. */
  destroy(reason: Error): void;
  /** Says goodbye to the server, waits for its answer no longer than so many milliseconds, and closes the socket. */
  end(milliseconds: number): Promise<void>;
}

/** The servers of an address, and which of them let us in the last time: all connections begin with it. */
export interface Servers {
  readonly address: DatabaseAddress;
  preferred: number;
  /** Behind a pooler each transaction may meet another connection of PostgreSQL, which knows no statement that was prepared before. */
  readonly pooled?: boolean;
  /** A pooler refused a parameter that it does not know: connections go without those of `untrackedFormats`. */
  sparing?: boolean;
}

export interface ConnectionOptions {
  readonly servers: Servers;
  /** Sent to PostgreSQL at the start of the connection; those of the address replace them, but no format. */
  readonly parameters: Readonly<Record<string, string | number>>;
  readonly onMessage?: (channel: string, payload: string) => void;
  /** Called whenever the connection is gone, whichever side ended it, and for each attempt to connect that failed. */
  readonly onClose?: () => void;
}

/** Thrown where the server closed the connection, or where it is closed on our side. */
const connectionClosed = () =>
  databaseUnavailable("CONNECTION_CLOSED", "The connection to the database was closed.");

/** The patch that this release needs: the first digits of a digest of `patches/postgres+3.4.9.patch`. */
export const driverPatch = "27c62c5161da";

/**
 * postgres.js as published lets a transaction go on after its connection closed, and may then end the process or write
 * outside of any transaction; what fixes it is applied at installation, and marks the driver. @throws DriverNotPatched
 */
export function assertPatchedDriver(): void {
  if ("adjutantPatch" in postgres && postgres.adjutantPatch === driverPatch) return;
  throw startFault(
    "DriverNotPatched",
    "The PostgreSQL driver lacks the patch of this release: run npm ci without --ignore-scripts, with the folder patches/ beside package.json.",
  );
}

/** How drizzle wants values to leave and arrive; it writes that into the options of a driver. */
export type Codecs = Pick<postgres.Sql["options"], "parsers" | "serializers">;

/** Formats come last: the code relies on them, whatever the role, the database and the address say. */
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

/** Milliseconds that a server gets to let us in where there is another one to try. */
const connectTimeout = 1_000;

/** Makes a driver with a pool of one. Its own time limits and back-off are off: the pool decides. */
export function openConnection(options: ConnectionOptions, codecs: Codecs): Connection {
  const { servers } = options;
  const { places, user, password, database, tls, sessionAttributes } = servers.address;
  let socket: Socket | undefined;
  /** The server that is tried or used, the one that was tried first since one was lost, and how many were tried since. */
  let at = servers.preferred;
  let begunWith = at;
  let tried = 0;
  let connectTimer: NodeJS.Timeout | undefined;
  let gone = false;
  let readyAt = 0;
  // The driver tries again, instead of failing, for as long as this names a second host.
  const hosts = places.map(({ host }) => host);
  const giveUpAfterThis = () => hosts.splice(1);

  const openSocket = (): Socket => {
    if (gone) throw connectionClosed();
    if (tried === 0) begunWith = servers.preferred;
    at = (begunWith + tried++) % places.length;
    const { path, host, port } = places[at] as Place;
    const opened = path ? connect(path) : connect({ host, port });
    // The driver takes the name that it sends in the TLS handshake from here.
    socket = Object.assign(opened, path ? {} : { host, port });
    clearTimeout(connectTimer);
    if (tried >= places.length) giveUpAfterThis();
    else connectTimer = setTimeout(() => opened.destroy(connectionClosed()), connectTimeout);
    // The driver reports what the server says of itself at the start, but only where it differs from what it knows.
    for (const name of Object.keys(client.parameters)) delete client.parameters[name];
    const openedAt = performance.now();
    // Without an error the driver takes a door that closes at once for one to knock on again, without end. Where we were let in
    // it gets none: it would fail what is under way before it knows that the socket is closed, and write the next statement there.
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

  /** Node knows the name that was asked for, and not an IP address, where the socket is made before. */
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
      // A server that fell silent is tried after the others.
      if (servers.preferred === at) servers.preferred = (at + 1) % places.length;
      // First told to the driver, which otherwise forgets what it had not sent yet.
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
