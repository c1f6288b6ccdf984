import { isIP } from "node:net";
import type { Settings } from "#server/platform/env";
import { isLoopback, parsePlainOrigin } from "#server/platform/plain-origin";

export type EndpointUrlSettings = Pick<Settings, "baseUrl" | "webhookLoopback">;

type EndpointUrl = { readonly url: string } | { readonly why: string };

export const longestEndpointUrl = 2_000;

/** Judges the URL after WHATWG parsing, which normalises spellings of a host (`0x7f.1`). */
export function readEndpointUrl(text: string, settings: EndpointUrlSettings): EndpointUrl {
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
  // Parsing may lengthen the URL, because it percent-encodes some characters.
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

/** Notices and logs get only the host, because the path of a URL may hold a secret. */
export const hostOfEndpoint = (url: string): string | null =>
  URL.canParse(url) ? new URL(url).host : null;
