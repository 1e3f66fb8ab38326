// What the user sets, and the command that follows from it. Nothing here needs the editor, so it is tested without one.

export interface Settings {
  path: string;
  verifyOnSave: boolean;
  timeLimit: number;
  check: string[];
}

export const DEFAULTS: Settings = { path: "lariat", verifyOnSave: true, timeLimit: 30, check: [] };

/** Reads settings; what is missing or of another type is the default. */
export function read(get: (key: string) => unknown): Settings {
  const path = get("path");
  const verifyOnSave = get("verifyOnSave");
  const timeLimit = get("timeLimit");
  const check = get("check");
  return {
    path: typeof path === "string" && path.trim() !== "" ? path.trim() : DEFAULTS.path,
    verifyOnSave: typeof verifyOnSave === "boolean" ? verifyOnSave : DEFAULTS.verifyOnSave,
    timeLimit: typeof timeLimit === "number" && timeLimit > 0 ? timeLimit : DEFAULTS.timeLimit,
    check: Array.isArray(check) ? check.filter((one): one is string => typeof one === "string") : DEFAULTS.check,
  };
}

/** The command that starts the server. */
export function serverCommand(settings: Settings): { command: string; args: string[] } {
  return { command: settings.path, args: ["lsp", ...settings.check.flatMap((one) => ["--check", one])] };
}

/** What the server is told at the start. */
export function initializationOptions(settings: Settings): object {
  return { verifyOnSave: settings.verifyOnSave, timeLimit: settings.timeLimit };
}
