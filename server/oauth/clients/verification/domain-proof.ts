import { createHash } from "node:crypto";
import { isIP } from "node:net";
import type { Context } from "#server/context";
import type { Settings } from "#server/platform/env";
import { isLoopback, parsePlainOrigin } from "#server/platform/plain-origin";

type DomainSettings = Pick<Settings, "baseUrl" | "webhookLoopback">;

/** No registry sells a name with an underscore, so only the domain's owner can create it. */
const label = "_adjutant";
const file = "/.well-known/adjutant.txt";
/** The name of the record must fit into the 253 characters of RFC 1035. */
const longestDomain = 253 - `${label}.`.length;
/** Special-use names (RFC 6761, 6762, 7686, 8375, 9476) and `internal`: not in public DNS. */
const notPublic = ["alt", "arpa", "internal", "invalid", "local", "localhost", "onion"];

/**
 * Accepts names of public hosts, and with the loopback setting `localhost:4000`. International
 * names become punycode, so that no letter can pass for another.
 */
export function readDomain(
  text: string,
  settings: DomainSettings,
): { readonly domain: string } | { readonly why: string } {
  const typed = text.trim().replace(/\.$/, "");
  if (typed === "") return { why: "Enter a domain, for example clerk.example." };
  const address = `https://${typed}`;
  if (/[\s\p{C}]/u.test(typed) || !URL.canParse(address)) return { why: notAName };
  const { hostname, host, href, origin } = new URL(address);
  if (href !== `https://${host}/`)
    return { why: "Enter the domain alone, without https:// and path." };
  if (settings.webhookLoopback === "allowed" && isLoopback(hostname)) return { domain: host };
  if (typed.includes(":")) return { why: "A domain has no port and is no IP address." };
  if (isIP(hostname) !== 0) return { why: "An IP address is not a domain." };
  if (!hostname.includes(".") || notPublic.includes(hostname.replace(/^.*\./, "")))
    return { why: "Enter a full name of the public internet, such as clerk.example." };
  if (hostname.length > longestDomain)
    return { why: `A domain can have at most ${longestDomain} characters.` };
  if (!parsePlainOrigin(origin)) return { why: notAName };
  if (hostname === new URL(settings.baseUrl).hostname)
    return { why: "This is the domain of this service." };
  return { domain: hostname };
}

const notAName = "This is not a domain: letters, digits and hyphens between dots.";

export const isLocalDomain = (domain: string): boolean =>
  isLoopback(new URL(`http://${domain}`).hostname);

export interface ClaimedDomain {
  readonly clientId: string;
  readonly ownerId: string;
  readonly domain: string;
}

/** The challenge is public and needs no key, so a rotation of the server secret ends no proof. */
export function challengeOf({ clientId, ownerId, domain }: ClaimedDomain): string {
  const hash = createHash("sha256").update(JSON.stringify([clientId, ownerId, domain]));
  return `adjutant-domain=${hash.digest("base64url")}`;
}

export const proofRecordName = (domain: string): string => `${label}.${domain}`;

export const proofFileUrl = (domain: string): string =>
  `${isLocalDomain(domain) ? "http" : "https"}://${domain}${file}`;

export const isOnDomain = (host: string | null, domain: string | null): boolean =>
  host !== null && domain !== null && (host === domain || host.endsWith(`.${domain}`));

/**
 * `missing`: an answer without the proof. `unclear`: no answer, which says nothing of the proof.
 * `finding`: a word for the team, such as `no-record`, `status-404` or the failure of the attempt.
 */
export interface ProofCheck {
  readonly state: "found" | "missing" | "unclear";
  readonly finding: string;
}

export interface ProofChecks {
  readonly dns: ProofCheck;
  readonly file: ProofCheck;
}

type Outside = Pick<Context, "outgoing">;

/** Never throws: a failure becomes a finding. */
export async function lookForProof(ctx: Outside, claimed: ClaimedDomain): Promise<ProofChecks> {
  const challenge = challengeOf(claimed);
  const [dns, file] = await Promise.all([
    lookInDns(ctx, claimed.domain, challenge),
    lookInFile(ctx, claimed.domain, challenge),
  ]);
  return { dns, file };
}

const found: ProofCheck = { state: "found", finding: "found" };
const otherText: ProofCheck = { state: "missing", finding: "other-text" };
const noRecord: ProofCheck = { state: "missing", finding: "no-record" };

async function lookInDns(ctx: Outside, domain: string, challenge: string): Promise<ProofCheck> {
  if (isLocalDomain(domain)) return noRecord;
  const texts = await ctx.outgoing.readTexts(proofRecordName(domain));
  if ("failure" in texts) return { state: "unclear", finding: "no-answer" };
  if (texts.some((text) => text.trim() === challenge)) return found;
  return texts.length > 0 ? otherText : noRecord;
}

async function lookInFile(ctx: Outside, domain: string, challenge: string): Promise<ProofCheck> {
  const answer = await ctx.outgoing.send({ url: proofFileUrl(domain), headers: () => ({}) });
  if ("failure" in answer) {
    const { failure, code } = answer;
    // A name without an address, or with one in our network, is an answer: it holds no proof. A
    // failing nameserver gives no answer.
    const isAnswer = code === "ENODATA" || failure === "refused-address";
    return { state: isAnswer ? "missing" : "unclear", finding: isAnswer ? "dns" : failure };
  }
  const { status, excerpt } = answer;
  if (status === 200) return excerpt.split(" ").includes(challenge) ? found : otherText;
  return {
    state: status >= 500 || status === 429 ? "unclear" : "missing",
    finding: `status-${status}`,
  };
}
