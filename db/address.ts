import { readFileSync } from "node:fs";
import { createSecureContext, type ConnectionOptions as TlsOptions } from "node:tls";
import { isStartFault, wrongSetting } from "#server/platform/start-fault";

export interface DatabaseHost {
  readonly host: string;
  readonly port: number;
  readonly path: string | undefined;
}

/** A database URL, read by the rules of PostgreSQL's libpq. */
export interface DatabaseAddress {
  readonly setting: string;
  readonly places: readonly DatabaseHost[];
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string | undefined;
  /** "prefer" and "require" encrypt without certificate checks. */
  readonly tls: false | "prefer" | "require" | VerifiedTls;
  readonly sessionAttributes: string | undefined;
  /** True behind a pooler in transaction mode. */
  readonly pooled: boolean;
  readonly parameters: Readonly<Record<string, string>>;
}

/** `anyName` skips the host name check; `rejectUnauthorized: false` skips all checks. */
interface VerifiedTls
  extends Pick<TlsOptions, "ca" | "cert" | "key" | "passphrase" | "rejectUnauthorized"> {
  readonly anyName: boolean;
}

const wrong = wrongSetting;

/** Read or ignored here, because the server would reject these parameters. */
export const libpqParameters: readonly string[] = `
  host hostaddr port user password dbname passfile requiressl connect_timeout client_encoding
  sslmode sslrootcert sslcert sslkey sslpassword sslcrl sslcrldir sslsni sslcompression sslcertmode
  sslnegotiation channel_binding gssencmode gssdelegation krbsrvname load_balance_hosts keepalives
  keepalives_idle keepalives_interval keepalives_count tcp_user_timeout target_session_attrs
  fallback_application_name`
  .trim()
  .split(/\s+/);
const ofOthers = [
  "pgbouncer",
  "prepare",
  "statement_cache_size",
  "prepareThreshold",
  "schema",
  "currentSchema",
  "ssl",
  "uselibpqcompat",
];
/** Advice for parameters of other drivers. */
const insteadOf: Readonly<Record<string, string>> = {
  connection_limit: "set DATABASE_POOL_SIZE",
  max: "set DATABASE_POOL_SIZE",
  pool_size: "set DATABASE_POOL_SIZE",
  pool_timeout: "set DATABASE_TIMEOUT_SECONDS",
  socket_timeout: "set DATABASE_TIMEOUT_SECONDS",
  idle_timeout: "take it away",
  max_lifetime: "take it away",
  sslaccept: "use sslmode",
  sslidentity: "use sslcert and sslkey",
  service: "name the server itself",
  require_auth: "take it away",
  replication: "take it away",
};
const sessionAttributes = ["read-write", "read-only", "primary", "standby", "prefer-standby"];
const defaultPort = 5432;

/** @throws WrongSetting, which names the setting */
export function parseAddress(url: string, setting = "DATABASE_URL"): DatabaseAddress {
  try {
    return { setting, ...partsOf(url) };
  } catch (error) {
    throw isStartFault(error) ? wrongSetting(`${setting} is wrong: ${error.message}.`) : error;
  }
}

function partsOf(url: string): Omit<DatabaseAddress, "setting"> {
  const parts = /^postgres(?:ql)?:\/\/(?:([^/?]*)@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/.exec(url);
  if (!parts) throw wrong("it must look like postgres://user:password@host:5432/database");
  const [, account = "", authority = "", database = "", search = ""] = parts;
  const [user = "", ...password] = account.split(":");
  const query = new URLSearchParams(search);
  const given = new URLSearchParams(search);
  const from = (name: string) => given.get(name) ?? undefined;
  const places = placesOf(authority, { hosts: from("host"), ports: from("port") });
  const tls = tlsOf(from("sslmode") ?? modeOf(from("ssl")), {
    root: from("sslrootcert"),
    own: ownCertificate(from),
  });
  const attributes = from("target_session_attrs") ?? "any";
  if (attributes !== "any" && !sessionAttributes.includes(attributes))
    throw wrong(`target_session_attrs may be any, ${sessionAttributes.join(", ")}`);
  const schema = from("schema");
  const searchPath = schema ? `"${schema.replaceAll('"', '""')}"` : from("currentSchema");
  const pooled =
    from("pgbouncer") === "true" ||
    from("prepare") === "false" ||
    from("statement_cache_size") === "0" ||
    from("prepareThreshold") === "0";
  for (const name of [...libpqParameters, ...ofOthers]) query.delete(name);
  for (const name of query.keys())
    if (Object.hasOwn(insteadOf, name))
      throw wrong(`${name} is another driver's: ${insteadOf[name]}`);
  return {
    places,
    user: decoded(user) || from("user"),
    password: decoded(password.join(":")) || from("password"),
    database: decoded(database) || from("dbname"),
    // A Unix socket is never encrypted.
    tls: places.every(({ path }) => path) ? false : tls,
    sessionAttributes: attributes === "any" ? undefined : attributes,
    pooled,
    parameters: { ...Object.fromEntries(query), ...(searchPath && { search_path: searchPath }) },
  };
}

function modeOf(ssl: string | undefined): string | undefined {
  if (ssl === "true" || ssl === "1") return "require";
  return ssl === "false" || ssl === "0" ? "disable" : ssl;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong("a % in it must be written %25");
  }
}

function placesOf(
  authority: string,
  query: { hosts: string | undefined; ports: string | undefined },
): DatabaseHost[] {
  const named = authority.split(",").map((text) => {
    const [, host = "", port = ""] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(text) ?? [];
    return { host: decoded(host.replace(/^\[(.*)\]$/, "$1")), port };
  });
  const hosts = query.hosts?.split(",") ?? named.map(({ host }) => host || "localhost");
  const ports = query.ports?.split(",") ?? named.map(({ port }) => port);
  return hosts.map((host, at) => {
    const text = ports[at] ?? (ports.length === 1 ? ports[0] : undefined);
    const port = Number(text || defaultPort);
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw wrong(`${text} is no port`);
    return { host, port, path: host.startsWith("/") ? `${host}/.s.PGSQL.${port}` : undefined };
  });
}

type OwnCertificate = Required<Pick<TlsOptions, "cert" | "key">> & Pick<TlsOptions, "passphrase">;

function ownCertificate(from: (name: string) => string | undefined): OwnCertificate | undefined {
  const [cert, key, passphrase] = [from("sslcert"), from("sslkey"), from("sslpassword")];
  if (!cert && !key) return undefined;
  if (!cert || !key) throw wrong("sslcert and sslkey must be given together");
  const own = {
    cert: read("sslcert", cert),
    key: read("sslkey", key),
    ...(passphrase && { passphrase }),
  };
  try {
    createSecureContext(own);
  } catch (error) {
    throw wrong(`sslcert and sslkey cannot be used together: ${(error as Error).message}`);
  }
  return own;
}

function tlsOf(
  mode: string | undefined,
  files: { root: string | undefined; own: OwnCertificate | undefined },
): DatabaseAddress["tls"] {
  const root = files.root === "system" ? undefined : files.root;
  // In libpq, `sslrootcert=system` implies `verify-full`.
  const effective = files.root === "system" ? "verify-full" : mode;
  const verified = (anyName: boolean) => ({
    anyName,
    ...(root && { ca: read("sslrootcert", root) }),
    ...files.own,
  });
  if (files.own && (effective === undefined || !/^(require|verify-)/.test(effective)))
    throw wrong("sslcert needs sslmode=require, verify-ca or verify-full");
  switch (effective) {
    case undefined:
    case "disable":
      return false;
    case "allow":
    case "prefer":
      return "prefer";
    case "require":
      if (root) return verified(true);
      return files.own ? { ...verified(true), rejectUnauthorized: false } : "require";
    case "verify-ca":
      return verified(true);
    case "verify-full":
      return verified(false);
    default:
      throw wrong(
        `sslmode may be disable, prefer, require, verify-ca or verify-full, and not ${effective}`,
      );
  }
}

function read(name: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw wrong(`${name} cannot be read: ${(error as Error).message}`);
  }
}
