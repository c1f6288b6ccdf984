import { defineError } from "./define-error";

/** What stops a start, where the person who starts the process can do something about it. */
export type StartFaultName =
  | "WrongSetting"
  | "DirectoryInUse"
  | "DatabaseIsNewer"
  | "DatabaseIsOlder"
  | "NoDatabase"
  | "MigrationBlocked"
  | "UnknownServerSecret"
  | "DataDirUnusable"
  | "DriverNotPatched"
  | "NoPages"
  | "BackupRefused"
  | "WrongCommand";

const kind = defineError<{ readonly name: StartFaultName }>("StartFault");

/** @param sentence names what is wrong and says what to do; it is all that is printed */
export const startFault = (name: StartFaultName, sentence: string): Error => kind.create(sentence, { name });

export const isStartFault = kind.is;

/** A setting is wrong; the message is one sentence that names it. */
export const wrongSetting = (sentence: string): Error => startFault("WrongSetting", sentence);
