import { hash } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, gzip, constants as zlib } from "node:zlib";
import { readCookie, sessionCookieName } from "#server/auth/cookies";
import type { Context } from "#server/context";
import { cacheCounts } from "#server/platform/metrics";
import { contentSecurityPolicy } from "#server/platform/page-headers";
import { internalRequestHeader, sharedPageHeader } from "#server/platform/peer-address";
import { entityTag, namesEntityTag } from "#server/platform/response-headers";
import { minuteMs } from "#server/platform/time";
import type { AskPages, PageReply } from "./ask-pages";
import { type ContentCoding, codingFor } from "./packed-files";

/** A request for a page. */
export interface PageVisit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly pathname: string;
  readonly requestId: string;
}

/** A page without a session, compressed per encoding. */
interface SharedPage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly etag: string;
  readonly plain: Buffer;
  readonly packed: Readonly<Record<ContentCoding, Buffer>>;
  /** Milliseconds since the epoch. */
  readonly staleAt: number;
}

/** Pages that are the same without a session: the landing page and the docs. */
const sharedPath = /^\/(?:docs(?:\/[\w.-]+)*)?$/;

/** The only thing of a visitor that changes them (app/_ui/theme.tsx, held by a test). */
export const themeCookie = "adjutant_theme";
const themes: ReadonlySet<string> = new Set(["light", "dark"]);

/**
 * One of them shows figures that a job computes; the others change with the build and the settings
 * alone.
 */
const lifetime = 5 * minuteMs;

export const sharedPageLimits = {
  /** Bytes that are kept, packed and unpacked. All pages there are take half of it in one theme. */
  kept: 40 * 1_024 * 1_024,
};

/** Headers of one rendering, and those that are said again with each answer. */
const ownHeaders: ReadonlySet<string> = new Set([
  ...["connection", "keep-alive", "transfer-encoding", "date", "content-length", "x-request-id"],
  ...["cache-control", "vary", "content-security-policy"],
]);

/**
 * Answers the pages that are the same for everybody from memory. Each is asked for once, without a visitor's data: no cookie, address or
 * other header of a visitor is in the request, so that nothing of a visitor can be in what is kept. Its inline scripts run by their
 * hashes, so that the same bytes, packed beforehand, go to all.
 */
export function createSharedPages(ctx: Context, ask: AskPages, limits = sharedPageLimits) {
  const { https, baseUrl } = ctx.settings;
  const { hit, miss } = cacheCounts(ctx.metrics, "pages");
  const pages = new Map<string, SharedPage>();
  const underWay = new Map<string, Promise<SharedPage | undefined>>();
  let bytes = 0;

  /** The page that the visitor may share; undefined where it is their own. */
  function keyOf({ request, pathname }: PageVisit): string | undefined {
    const { method, headers, url } = request;
    if (!sharedPath.test(pathname) || (method !== "GET" && method !== "HEAD")) return undefined;
    // With a query, or for a part of a page, Next answers something else.
    if (url !== pathname || headers.rsc !== undefined) return undefined;
    // A body must be judged before it is read past.
    if (headers["transfer-encoding"] !== undefined || headers["content-length"] !== undefined)
      return undefined;
    const cookies = headers.cookie ?? null;
    if (readCookie(cookies, sessionCookieName(https)) !== null) return undefined;
    const theme = readCookie(cookies, themeCookie) ?? "";
    return `${themes.has(theme) ? theme : ""} ${pathname}`;
  }

  function find(key: string): SharedPage | undefined {
    const page = pages.get(key);
    if (!page || page.staleAt <= ctx.now().getTime()) return undefined;
    // Set again: the page that was asked for longest ago is evicted first.
    pages.delete(key);
    pages.set(key, page);
    return page;
  }

  function keep(key: string, page: SharedPage): void {
    drop(key);
    pages.set(key, page);
    bytes += sizeOf(page);
    for (const oldest of pages.keys()) {
      if (bytes <= limits.kept) break;
      drop(oldest);
    }
  }

  function drop(key: string): void {
    const page = pages.get(key);
    if (!page) return;
    pages.delete(key);
    bytes -= sizeOf(page);
  }

  async function render(
    key: string,
    { pathname, requestId }: PageVisit,
  ): Promise<SharedPage | undefined> {
    const [theme] = key.split(" ");
    const reply = await ask(pathname, {
      host: new URL(baseUrl).host,
      [sharedPageHeader]: "1",
      [internalRequestHeader]: requestId,
      ...(theme && { cookie: `${themeCookie}=${theme}` }),
    });
    // A fault is the visitor's own page to tell.
    if (reply.status >= 500 || reply.headers["set-cookie"]) return undefined;
    const page = await pack(reply);
    // Of pages that are not there, anybody could name any number.
    if (page.status === 200) keep(key, page);
    return page;
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
      staleAt: ctx.now().getTime() + lifetime,
    };
  }

  return {
    /** Answers from memory. @returns whether it could */
    answer(visit: PageVisit): boolean {
      const key = keyOf(visit);
      const page = key === undefined ? undefined : find(key);
      if (page) send(page, visit);
      if (page) hit.inc();
      return page !== undefined;
    },
    /** Answers by rendering what everybody shares, single-flight. @returns whether it could */
    async render(visit: PageVisit): Promise<boolean> {
      const key = keyOf(visit);
      if (key === undefined) return false;
      miss.inc();
      const rendering = underWay.get(key) ?? render(key, visit).finally(() => underWay.delete(key));
      underWay.set(key, rendering);
      const page = find(key) ?? (await rendering.catch(() => undefined));
      if (page && !visit.response.closed) send(page, visit);
      return page !== undefined;
    },
  };
}

function send(page: SharedPage, { request, response, requestId }: PageVisit): void {
  const { "accept-encoding": accepted, "if-none-match": known } = request.headers;
  // Weak: what is compared is the page, whichever way it is packed.
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

const sizeOf = ({ plain, packed }: SharedPage): number =>
  plain.length + packed.br.length + packed.gzip.length;

/** The hash of each inline script, as a policy names it. */
export const inlineScripts = (html: string): string[] =>
  [...html.matchAll(/<script(\s[^>]*)?>([\s\S]*?)<\/script>/g)]
    .filter(([, attributes = ""]) => !/\ssrc=/.test(attributes))
    .map(([, , text = ""]) => hash("sha256", text, "base64"));

/** A tenth larger than the best, in a twentieth of its time. */
const brotli = (body: Buffer): Promise<Buffer> =>
  promisify(brotliCompress)(body, {
    params: { [zlib.BROTLI_PARAM_QUALITY]: 9, [zlib.BROTLI_PARAM_SIZE_HINT]: body.length },
  });
