import { z } from "zod";
import { parsePlainOrigin } from "./plain-origin";
import { wrongSetting } from "./start-fault";

export const optionalUrl = z.url({ protocol: /^https?$/ }).optional();

/** A public page; with `mail` also an address such as `mailto:help@example.com`. */
export const publicAddress = ({ mail = false } = {}) =>
  z
    .url({
      protocol: mail ? /^(?:https|mailto)$/ : /^https$/,
      error: `must be an https${mail ? " or mailto" : ""} URL`,
    })
    .max(500)
    .optional();

export const isLoopback = (host: string): boolean =>
  ["localhost", "127.0.0.1", "[::1]"].includes(host);

/** Refuses an address on which a session or the bot's token could be read or altered in transit. */
export function assertTrustworthy(name: string, text: string): void {
  const url = new URL(text);
  if (url.hash || url.username || url.password)
    throw wrongSetting(`${name} is wrong: it must have no user, password or fragment.`);
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    throw wrongSetting(
      `${name} must be https: plain http is allowed on the loopback address only.`,
    );
  if (!parsePlainOrigin(url.origin))
    throw wrongSetting(`${name} is wrong: its host must be a name.`);
}

export function baseUrlOf(text: string): URL {
  if (!URL.canParse(text)) throw wrongSetting(`BASE_URL is wrong: "${text}" is no address.`);
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw wrongSetting("BASE_URL must be http or https.");
  if (url.pathname !== "/" || url.search || url.hash || url.username || url.password)
    throw wrongSetting("BASE_URL must be scheme, host and port alone, without a path.");
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    throw wrongSetting(
      "BASE_URL must be https: plain http is allowed on the loopback address only.",
    );
  return url;
}
