import type { Log } from "#server/platform/log";

export interface LogLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly fields: object;
  readonly message: string;
}

export interface RecordedLog extends Log {
  readonly lines: LogLine[];
}

export function recordedLog(): RecordedLog {
  const lines: LogLine[] = [];
  const at = (level: LogLine["level"]) => (fields: object, message: string) => {
    lines.push({ level, fields, message });
  };
  return { lines, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
