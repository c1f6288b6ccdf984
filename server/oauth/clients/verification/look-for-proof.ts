import type { Context } from "#server/context";
import {
  type ClaimedDomain,
  challengeOf,
  fileAddress,
  isLocalDomain,
  recordName,
} from "./domain-name";

/**
 * `missing`: answered without the proof. `unclear`: the place could not be read, which says nothing
 * of the proof. `finding` is a word for the team: of our own, `status-404`, or an attempt's failure.
 */
export interface Look {
  readonly state: "found" | "missing" | "unclear";
  readonly finding: string;
}

export interface Looks {
  readonly dns: Look;
  readonly file: Look;
}

type Outside = Pick<Context, "readTexts" | "sendRequest">;

/** In both places; neither can make it throw. */
export async function lookForProof(ctx: Outside, claimed: ClaimedDomain): Promise<Looks> {
  const challenge = challengeOf(claimed);
  const [dns, file] = await Promise.all([
    lookInDns(ctx, claimed.domain, challenge),
    lookInFile(ctx, claimed.domain, challenge),
  ]);
  return { dns, file };
}

const found: Look = { state: "found", finding: "found" };
const otherText: Look = { state: "missing", finding: "other-text" };
const noRecord: Look = { state: "missing", finding: "no-record" };

async function lookInDns(ctx: Outside, domain: string, challenge: string): Promise<Look> {
  if (isLocalDomain(domain)) return noRecord;
  const texts = await ctx.readTexts(recordName(domain));
  if ("failure" in texts) return { state: "unclear", finding: "no-answer" };
  if (texts.some((text) => text.trim() === challenge)) return found;
  return texts.length > 0 ? otherText : noRecord;
}

async function lookInFile(ctx: Outside, domain: string, challenge: string): Promise<Look> {
  const answer = await ctx.sendRequest({ url: fileAddress(domain), headers: () => ({}) });
  if ("failure" in answer) {
    const { failure, code } = answer;
    // A name without an address is an answer; a nameserver that fails or is silent is none. A name
    // of our network looks the same.
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
