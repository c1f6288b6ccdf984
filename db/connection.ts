import { connect, type Socket } from "node:net";
import postgres from "postgres";
import { startFault } from "#server/platform/start-fault";
import { databaseUnavailable } from "./error-codes";

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

export interface ConnectionOptions {
  readonly url: string;
  /** What PostgreSQL is told at the start of the connection. */
  readonly parameters: Readonly<Record<string, string | number>>;
  readonly hear?: (channel: string, payload: string) => void;
  /** Called whenever the connection is gone, whichever side ended it, and for each attempt to connect that failed. */
  readonly onClose?: () => void;
}

/** Thrown where the server closed the connection, or where it is closed on our side. */
const connectionClosed = () => databaseUnavailable("CONNECTION_CLOSED", "The connection to the database was closed.");

/**
 * postgres.js as published lets a transaction go on after its connection closed, and may then end the process or write
 * outside of any transaction; what fixes it is applied at installation. @throws DriverNotPatched
 */
export function assertPatchedDriver(): void {
  if ("endsTransactionsWithConnections" in postgres) return;
  throw startFault(
    "DriverNotPatched",
    "The PostgreSQL driver is not patched: run npm ci without --ignore-scripts, with the folder patches/ beside package.json, or run npx patch-package.",
  );
}

/** The part of the driver's options that says where the server is. */
interface Address {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path: string | false;
}

/** How drizzle wants values to leave and arrive; it writes that into the options of a driver. */
export type Codecs = Pick<postgres.Sql["options"], "parsers" | "serializers">;

/** Makes a driver with a pool of one. Its own time limits and back-off are off: the pool decides. */
export function openConnection(options: ConnectionOptions, codecs: Codecs): Connection {
  let socket: Socket | undefined;
  let attempts = 0;
  let gone = false;
  let readyAt = 0;

  const openSocket = ({ host, port, path }: Address): Socket => {
    if (gone) throw connectionClosed();
    const at = attempts++ % host.length;
    const place = { host: host[at] ?? "localhost", port: port[at] ?? 5432 };
    const opened = path ? connect(path) : connect(place);
    // The driver reads the name to verify from here, where the connection is encrypted.
    socket = Object.assign(opened, path ? {} : place);
    // The driver reports what the server says of itself at the start, but only where it differs from what it knows.
    for (const name of Object.keys(client.parameters)) delete client.parameters[name];
    // Without an error the driver takes a door that closes at once for one to knock on again, without end.
    opened.once("end", () => opened.destroy(connectionClosed()));
    return opened;
  };
  const driverOptions = {
    max: 1,
    backoff: false,
    connect_timeout: 0,
    connection: options.parameters,
    onnotice: () => {},
    onparameter: () => {
      readyAt = performance.now();
    },
    ...(options.hear && { onnotify: options.hear, max_lifetime: null }),
    ...(options.onClose && { onclose: options.onClose }),
    socket: openSocket,
  };
  const client = postgres(options.url, driverOptions as postgres.Options<Record<string, never>>);
  Object.assign(client.options.parsers, codecs.parsers);
  Object.assign(client.options.serializers, codecs.serializers);
  return {
    client,
    readyAt: () => readyAt,
    destroy: (reason) => {
      gone = true;
      // First told to the driver, which otherwise forgets what it had not sent yet.
      void client.end({ timeout: 0 }).catch(() => {});
      setImmediate(() => socket?.destroy(reason));
    },
    end: async (milliseconds) => {
      await client.end({ timeout: milliseconds / 1_000 }).catch(() => {});
      gone = true;
      socket?.destroy();
    },
  };
}
