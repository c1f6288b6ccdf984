import { isIP } from "node:net";
import type { Settings } from "#server/platform/env";
import { parsePlainOrigin } from "#server/platform/plain-origin";
import { isLoopback } from "#server/platform/url-settings";

export type EndpointSettings = Pick<Settings, "baseUrl" | "webhookLoopback">;

/** An endpoint's URL as it is stored, or why it can be none. */
export type EndpointUrl = { readonly url: string } | { readonly why: string };

export const longestEndpointUrl = 2_000;

/**
 * Reads what a developer gives as the URL of an endpoint. What is stored, and shown to the developer, is the URL as the WHATWG
 * standard writes it: other spellings of a host (`0x7f.1`, fullwidth digits) are judged as what a client would connect to.
 * Where the settings allow loopback targets, `http://localhost:4000/…` is accepted as well; no other rule is relaxed by that.
 */
export function readEndpointUrl(text: string, settings: EndpointSettings): EndpointUrl {
  if (text.trim() === "") return { why: "A webhook URL cannot be empty." };
  if (text.length > longestEndpointUrl) return { why: tooLong };
  if (!URL.canParse(text)) return { why: "The webhook URL is not a valid address." };
  const url = new URL(text);
  const why =
    settings.webhookLoopback === "allowed" && isLoopback(url.hostname) ? whyNotLocal : whyNotPublic;
  const sentence = why(url, new URL(settings.baseUrl)) ?? whyNotAnyUrl(url);
  return sentence === undefined ? { url: url.href } : { why: sentence };
}

const tooLong = `A webhook URL can have at most ${longestEndpointUrl} characters.`;

function whyNotAnyUrl(url: URL): string | undefined {
  // Normalising writes some characters as three.
  if (url.href.length > longestEndpointUrl) return tooLong;
  if (url.username || url.password) return "A webhook URL cannot contain a user name or password.";
  if (url.href.includes("#")) return "A webhook URL cannot have a fragment (#…).";
  return undefined;
}

function whyNotPublic({ protocol, hostname, port, origin }: URL, own: URL): string | undefined {
  if (protocol !== "https:") return "A webhook URL must start with https://.";
  if (hostname.startsWith("[") || isIP(hostname) !== 0)
    return "The host of a webhook URL must be a name, not an IP address.";
  if (!hostname.includes("."))
    return "The host of a webhook URL must be a full name, such as hooks.example.com.";
  if (port !== "") return "A webhook URL cannot name a port: requests go to port 443.";
  if (!parsePlainOrigin(origin))
    return "The host of a webhook URL must be a plain name: letters, digits and hyphens between dots.";
  if (hostname === own.hostname) return "A webhook URL cannot point at this service.";
  return undefined;
}

function whyNotLocal({ protocol, port }: URL, own: URL): string | undefined {
  if (protocol !== "http:") return "A webhook URL on a loopback address must start with http://.";
  if (port === own.port) return "A webhook URL cannot point at this service.";
  return undefined;
}

/**
 * The host of a stored URL, to be shown or logged; null where it cannot be read. Nothing else of it may stand in a log: the
 * path may hold a secret of the developer's.
 */
export const hostOfEndpoint = (url: string): string | null =>
  URL.canParse(url) ? new URL(url).host : null;
