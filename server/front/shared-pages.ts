import { hash } from "node:crypto";
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
  type Server,
  type ServerResponse,
} from "node:http";
import { Duplex, PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { brotliCompress, gzip, constants as zlib } from "node:zlib";
import { readCookie, sessionCookieName } from "#server/auth/cookies";
import type { Context } from "#server/context";
import { internalRequestIdHeader, sharedPageHeader } from "#server/platform/peer-address";
import { themeCookieName } from "#server/platform/plain-page";
import { entityTag, namesEntityTag } from "#server/platform/response-headers";
import { minuteMs } from "#server/platform/time";
import { createTtlCache } from "#server/platform/ttl-cache";
import { within } from "#server/platform/within";
import { type ContentCoding, codingFor } from "./compression";
import { contentSecurityPolicy } from "./secure-page";

interface PageVisit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly pathname: string;
  readonly requestId: string;
}

interface SharedPage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly etag: string;
  readonly plain: Buffer;
  readonly packed: Readonly<Record<ContentCoding, Buffer>>;
}

const sharedPath = /^\/(?:docs(?:\/[\w.-]+)*)?$/;

const themes: ReadonlySet<string> = new Set(["light", "dark"]);

/** Short, because one page shows figures of a job. */
const lifetime = 5 * minuteMs;

export const sharedPageLimits = {
  /** Bytes, including all codings. */
  kept: 40 * 1_024 * 1_024,
};

/** Headers of a single rendering, and those that each answer sets again. */
const ownHeaders: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "date",
  "content-length",
  "x-request-id",
  "cache-control",
  "vary",
  "content-security-policy",
]);

/** Renders a page once for all visitors with the same theme. Its policy allows scripts by hash. */
export function createSharedPages(ctx: Context, ask: AskPages, limits = sharedPageLimits) {
  const { https, baseUrl } = ctx.settings;
  const count = (outcome: "hit" | "miss") =>
    ctx.metrics.cacheLookups.labels("pages", outcome).inc();
  const pages = createTtlCache<string, SharedPage>({
    now: ctx.now,
    ttl: lifetime,
    most: limits.kept,
    sizeOf,
  });

  function keyOf({ request, pathname }: PageVisit): string | undefined {
    const { method, headers, url } = request;
    if (!sharedPath.test(pathname) || (method !== "GET" && method !== "HEAD")) return undefined;
    // Next answers queries and RSC differently.
    if (url !== pathname || headers.rsc !== undefined) return undefined;
    // A body must be checked by `pageRequestRefusalOf` first.
    if (headers["transfer-encoding"] !== undefined || headers["content-length"] !== undefined)
      return undefined;
    const cookies = headers.cookie ?? null;
    if (readCookie(cookies, sessionCookieName(https)) !== null) return undefined;
    const theme = readCookie(cookies, themeCookieName) ?? "";
    return `${themes.has(theme) ? theme : ""} ${pathname}`;
  }

  async function render(
    key: string,
    { pathname, requestId }: PageVisit,
  ): Promise<SharedPage | undefined> {
    const [theme] = key.split(" ");
    const reply = await ask(pathname, {
      host: new URL(baseUrl).host,
      [sharedPageHeader]: "1",
      [internalRequestIdHeader]: requestId,
      ...(theme && { cookie: `${themeCookieName}=${theme}` }),
    });
    if (reply.status >= 500 || reply.headers["set-cookie"]) return undefined;
    return pack(reply);
  }

  async function pack({ status, headers, body }: PageReply): Promise<SharedPage> {
    const inline = { hashes: inlineScripts(body.toString("utf8")) };
    const sent = Object.entries(headers).filter(([name]) => !ownHeaders.has(name));
    const [br, gz] = await Promise.all([brotli(body), promisify(gzip)(body)]);
    return {
      status,
      headers: {
        ...(Object.fromEntries(sent) as Record<string, string | string[]>),
        "content-security-policy": contentSecurityPolicy({ inline, formAction: [baseUrl], https }),
        "cache-control": "private, no-cache",
        vary: [...new Set([...(headers.vary ?? "").split(/,\s*/), "Cookie", "Accept-Encoding"])]
          .filter(Boolean)
          .join(", "),
      },
      etag: entityTag(body),
      plain: body,
      packed: { br, gzip: gz },
    };
  }

  return {
    answer(visit: PageVisit): boolean {
      const key = keyOf(visit);
      const page = key === undefined ? undefined : pages.get(key);
      if (page) send(page, visit);
      if (page) count("hit");
      return page !== undefined;
    },
    /** Single-flight. @returns false if no shared page was sent */
    async render(visit: PageVisit): Promise<boolean> {
      const key = keyOf(visit);
      if (key === undefined) return false;
      count("miss");
      const page = await pages.load(key, () => render(key, visit), isKept).catch(() => undefined);
      if (page && !visit.response.closed) send(page, visit);
      return page !== undefined;
    },
  };
}

function send(page: SharedPage, { request, response, requestId }: PageVisit): void {
  const { "accept-encoding": accepted, "if-none-match": known } = request.headers;
  // One weak tag covers all codings.
  const headers: OutgoingHttpHeaders = {
    ...page.headers,
    etag: `W/${page.etag}`,
    "x-request-id": requestId,
  };
  if (page.status === 200 && known !== undefined && namesEntityTag(known, page.etag)) {
    delete headers["content-type"];
    response.writeHead(304, headers).end();
    return;
  }
  const coding = codingFor(accepted);
  const body = coding ? page.packed[coding] : page.plain;
  if (coding) headers["content-encoding"] = coding;
  headers["content-length"] = body.length;
  response.writeHead(page.status, headers).end(request.method === "HEAD" ? undefined : body);
}

/** Missing pages have unlimited addresses, so they are not kept. */
const isKept = ({ status }: SharedPage): boolean => status === 200;

const sizeOf = ({ plain, packed }: SharedPage): number =>
  plain.length + packed.br.length + packed.gzip.length;

const inlineScripts = (html: string): string[] =>
  [...html.matchAll(/<script(\s[^>]*)?>([\s\S]*?)<\/script>/g)]
    .filter(([, attributes = ""]) => !/\ssrc=/.test(attributes))
    .map(([, , text = ""]) => hash("sha256", text, "base64"));

/** Level 9 packs a tenth larger than the best level, in a twentieth of its time. */
const brotli = (body: Buffer): Promise<Buffer> =>
  promisify(brotliCompress)(body, {
    params: { [zlib.BROTLI_PARAM_QUALITY]: 9, [zlib.BROTLI_PARAM_SIZE_HINT]: body.length },
  });

export type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface PageReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

type AskPages = (path: string, headers: OutgoingHttpHeaders) => Promise<PageReply>;

/** Milliseconds. */
const longestRendering = 20_000;

export function createPageClient(pages: PageHandler): AskPages {
  const server = createServer((request, response) => {
    response.setMaxListeners(20);
    pages(request, response).catch(() => response.destroy());
  });
  return (path, headers) =>
    within(longestRendering, (signal) => askPage(server, { path, headers, signal }));
}

const askPage = (server: Server, options: RequestOptions): Promise<PageReply> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(
      { ...options, createConnection: () => connectTo(server) },
      (answer) => {
        const { statusCode: status = 0, headers } = answer;
        buffer(answer).then((body) => resolve({ status, headers, body }), reject);
      },
    );
    sent.once("error", reject).end();
  });

function connectTo(server: Server): Duplex {
  const [there, back] = [new PassThrough(), new PassThrough()];
  server.emit("connection", Duplex.from({ readable: there, writable: back }));
  return Duplex.from({ readable: back, writable: there });
}
