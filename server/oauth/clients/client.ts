/**
 * A confidential application keeps a secret on its server; a public application (browser, desktop,
 * mobile) cannot.
 */
export type ClientKind = "confidential" | "public";

const clientIdForm = /^[0-9a-f]{32}$/;
const clientIdBytes = 16;

export const isClientId = (text: string): boolean => clientIdForm.test(text);

export const newClientId = (bytes: (count: number) => Uint8Array): string =>
  Buffer.from(bytes(clientIdBytes)).toString("hex");
