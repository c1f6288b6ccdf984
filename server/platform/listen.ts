import type { Server } from "node:http";
import { wrongSetting } from "./start-fault";

/** Where to listen, and the settings that say so. */
export interface ListenAddress {
  readonly port: number;
  readonly host: string;
  readonly settings: { readonly port: string; readonly host: string };
}

/** Begins to listen. @throws WrongSetting with a sentence that names the setting */
export function listen(server: Server, { port, host, settings }: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    const noAddress = `${settings.host} is wrong: ${host} is no address of this machine.`;
    const sentences: Readonly<Record<string, string>> = {
      EADDRINUSE: `Port ${port} of ${host} is in use by another process. Stop it, or set ${settings.port} to another one.`,
      EACCES: `Port ${port} of ${host} is not for this user. Set ${settings.port} to one above 1023.`,
      EADDRNOTAVAIL: noAddress,
      ENOTFOUND: noAddress,
    };
    server.once("error", (error: NodeJS.ErrnoException) => {
      const sentence = sentences[error.code ?? ""];
      reject(sentence === undefined ? error : wrongSetting(sentence));
    });
    server.listen(port, host, resolve);
  });
}
